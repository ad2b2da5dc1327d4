/// A member by which two versions of a thing are compared, under the name that the command's JSON gives it.
struct ComparedField<Root>: Sendable {
  let name: String
  let differs: @Sendable (Root, Root) -> Bool

  init<Value: Equatable & SendableMetatype>(_ name: String, _ value: @escaping @Sendable (Root) -> Value) {
    self.name = name
    differs = { value($0) != value($1) }
  }

  /// Makes a field of a list whose order says nothing: the upstream shuffles it between calls.
  init<Element: Hashable & SendableMetatype>(
    shuffled name: String, _ list: @escaping @Sendable (Root) -> [Element]
  ) {
    self.name = name
    differs = { one, other in
      let (one, other) = (list(one), list(other))
      return one != other && (one.count != other.count || Self.counts(one) != Self.counts(other))
    }
  }

  private static func counts<Element: Hashable>(_ elements: [Element]) -> [Element: Int] {
    Dictionary(elements.map { ($0, 1) }, uniquingKeysWith: +)
  }
}

/// What can be compared member by member.
protocol Comparand: Sendable {
  /// Every member but those that say which thing it is.
  static var comparedFields: [ComparedField<Self>] { get }
}

extension Comparand {
  /// The names of the members in which this one differs from `other`, in the model's order.
  func fieldNames(differingFrom other: Self) -> [String] {
    Self.comparedFields.compactMap { $0.differs(self, other) ? $0.name : nil }
  }
}

extension BoxOfficeEntry: Comparand {
  /// Position and rank are the row's place on the chart, and compared apart.
  static let placeFields: [ComparedField<Self>] = [
    ComparedField("position") { $0.position }, ComparedField("rank") { $0.rank },
  ]

  static let comparedFields: [ComparedField<Self>] = [
    ComparedField("rankChange") { $0.rankChange }, ComparedField("isNew") { $0.isNew },
    ComparedField("title") { $0.title }, ComparedField("openedOn") { $0.openedOn },
    ComparedField("salesKRW") { $0.salesKRW }, ComparedField("salesShare") { $0.salesShare },
    ComparedField("salesChangeKRW") { $0.salesChangeKRW },
    ComparedField("salesChangePercent") { $0.salesChangePercent },
    ComparedField("salesTotalKRW") { $0.salesTotalKRW }, ComparedField("audience") { $0.audience },
    ComparedField("audienceChange") { $0.audienceChange },
    ComparedField("audienceChangePercent") { $0.audienceChangePercent },
    ComparedField("audienceTotal") { $0.audienceTotal }, ComparedField("screens") { $0.screens },
    ComparedField("showings") { $0.showings },
  ]
}

extension MovieDetails: Comparand {
  static let comparedFields: [ComparedField<Self>] = [
    ComparedField("title") { $0.title }, ComparedField("titleEnglish") { $0.titleEnglish },
    ComparedField("titleOriginal") { $0.titleOriginal },
    ComparedField("runningMinutes") { $0.runningMinutes },
    ComparedField("productionYear") { $0.productionYear }, ComparedField("openedOn") { $0.openedOn },
    ComparedField("status") { $0.status }, ComparedField("type") { $0.type },
    ComparedField(shuffled: "nations") { $0.nations }, ComparedField(shuffled: "genres") { $0.genres },
    ComparedField(shuffled: "directors") { $0.directors }, ComparedField(shuffled: "actors") { $0.actors },
    ComparedField(shuffled: "showTypes") { $0.showTypes },
    ComparedField(shuffled: "companies") { $0.companies }, ComparedField(shuffled: "audits") { $0.audits },
    ComparedField(shuffled: "staff") { $0.staff },
  ]
}

extension PersonDetails: Comparand {
  static let comparedFields: [ComparedField<Self>] = [
    ComparedField("name") { $0.name }, ComparedField("nameEnglish") { $0.nameEnglish },
    ComparedField("sex") { $0.sex }, ComparedField("role") { $0.role },
    ComparedField(shuffled: "homepages") { $0.homepages },
    ComparedField(shuffled: "filmography") { $0.filmography },
  ]
}

extension CompanyDetails: Comparand {
  static let comparedFields: [ComparedField<Self>] = [
    ComparedField("name") { $0.name }, ComparedField("nameEnglish") { $0.nameEnglish },
    ComparedField("chief") { $0.chief }, ComparedField(shuffled: "parts") { $0.parts },
    ComparedField(shuffled: "filmography") { $0.filmography },
  ]
}

extension CodeTable.Entry: Comparand {
  static let comparedFields: [ComparedField<Self>] = [
    ComparedField("name") { $0.name }, ComparedField("nameEnglish") { $0.nameEnglish },
  ]
}

extension ListedMovie: Comparand {
  static let comparedFields: [ComparedField<Self>] = [
    ComparedField("title") { $0.title }, ComparedField("titleEnglish") { $0.titleEnglish },
    ComparedField("productionYear") { $0.productionYear }, ComparedField("openedOn") { $0.openedOn },
    ComparedField("type") { $0.type }, ComparedField("status") { $0.status },
    ComparedField("nations") { $0.nations }, ComparedField("genres") { $0.genres },
    ComparedField("mainNation") { $0.mainNation }, ComparedField("mainGenre") { $0.mainGenre },
    ComparedField(shuffled: "directors") { $0.directors },
    ComparedField(shuffled: "companies") { $0.companies },
  ]
}

// The command tells a list's text of titles from the filmography of details.

extension ListedCompany: Comparand {
  static let comparedFields: [ComparedField<Self>] = [
    ComparedField("name") { $0.name }, ComparedField("nameEnglish") { $0.nameEnglish },
    ComparedField("parts") { $0.parts }, ComparedField("chief") { $0.chief },
    ComparedField("filmographyText") { $0.filmography },
  ]
}

extension ListedPerson: Comparand {
  static let comparedFields: [ComparedField<Self>] = [
    ComparedField("name") { $0.name }, ComparedField("nameEnglish") { $0.nameEnglish },
    ComparedField("role") { $0.role }, ComparedField("filmographyText") { $0.filmography },
  ]
}
