import Testing

@testable import CatalogEngine

private func code(_ text: String) -> MovieCode {
  guard let code = MovieCode(text) else { preconditionFailure("\(text) is no movie code") }
  return code
}

private let monday = BoxOfficePeriod.daily(CalendarDay(daysSinceEpoch: 18_995))

private func entry(_ movie: String, _ position: Int, audience: Int64 = 1) -> BoxOfficeEntry {
  BoxOfficeEntry(
    position: position, rank: position, rankChange: 0, isNew: false, movieCode: code(movie),
    title: "title of \(movie)", openedOn: nil, salesKRW: 0, salesShare: Percentage(thousandths: 0),
    salesChangeKRW: 0, salesChangePercent: Percentage(thousandths: 0), salesTotalKRW: 0, audience: audience,
    audienceChange: 0, audienceChangePercent: Percentage(thousandths: 0), audienceTotal: 0, screens: 0,
    showings: 0)
}

private func chart(_ entries: BoxOfficeEntry...) -> CatalogValue {
  .boxOffice(BoxOffice(period: monday, entries: entries))
}

private func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var value = value
  change(&value)
  return value
}

private let movie = MovieDetails(
  code: code("M1"), title: "title", nations: ["a", "b"], genres: ["a", "b"],
  directors: [.init(name: "a"), .init(name: "b")],
  actors: [.init(name: "a"), .init(name: "b"), .init(name: "a")],
  showTypes: [.init(name: "a"), .init(name: "b")], companies: [.init(name: "a"), .init(name: "b")],
  audits: [.init(number: "a"), .init(number: "b")], staff: [.init(name: "a"), .init(name: "b")])

private let person = PersonCode("P1").map {
  PersonDetails(
    code: $0, name: "name", homepages: ["a", "b"],
    filmography: [
      FilmCredit(movieCode: code("M1"), title: "a"), FilmCredit(movieCode: code("M2"), title: "b"),
    ])
}

private let company = CompanyCode("C1").map {
  CompanyDetails(
    code: $0, name: "name", parts: ["a", "b"],
    filmography: [
      FilmCredit(movieCode: code("M1"), title: "a"), FilmCredit(movieCode: code("M2"), title: "b"),
    ])
}

private func codes(_ entries: CodeTable.Entry...) -> CatalogValue {
  .codes(CodeTable(list: .areas, entries: entries))
}

private let seoul = CodeTable.Entry(code: "1", name: "서울시", nameEnglish: "Seoul")
private let gyeonggi = CodeTable.Entry(code: "2", name: "경기도")

private func listed(_ code: String, title: String = "title") -> ListedMovie {
  ListedMovie(
    code: MovieCode(code) ?? movie.code, title: title, directors: ["a", "b"],
    companies: [.init(code: nil, name: "a"), .init(code: nil, name: "b")])
}

private func page(_ rows: ListedMovie...) -> CatalogValue {
  .moviePage(CatalogPage(number: 1, totalCount: 2, rows: rows))
}

@Suite struct `The differences between two answers` {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: CatalogValue?
    var new: CatalogValue
    var differences: [CatalogChange.Difference]

    init(
      _ name: String, _ old: CatalogValue?, _ new: CatalogValue, _ differences: [CatalogChange.Difference]
    ) {
      testDescription = name
      self.old = old
      self.new = new
      self.differences = differences
    }
  }

  static let charts: [Case] = [
    Case("a chart's first answer", nil, chart(entry("A", 1)), [.init(.appeared)]),
    Case("a first answer without rows", nil, chart(), []),
    Case("rows in place of none", chart(), chart(entry("A", 1)), [.init(.appeared)]),
    Case("the same chart", chart(entry("A", 1)), chart(entry("A", 1)), []),
    Case(
      "a movie more", chart(entry("A", 1)), chart(entry("A", 1), entry("B", 2)),
      [.init(.appeared, itemCode: "B", itemName: "title of B", positionAfter: 2)]),
    Case(
      "a movie less", chart(entry("A", 1), entry("B", 2)), chart(entry("A", 1)),
      [.init(.vanished, itemCode: "B", itemName: "title of B", positionBefore: 2)]),
    Case(
      "another movie in its place", chart(entry("A", 1)), chart(entry("B", 1)),
      [
        .init(.appeared, itemCode: "B", itemName: "title of B", positionAfter: 1),
        .init(.vanished, itemCode: "A", itemName: "title of A", positionBefore: 1),
      ]),
    Case(
      "two that changed places, one of them corrected", chart(entry("A", 1), entry("B", 2)),
      chart(entry("B", 1, audience: 2), entry("A", 2)),
      [
        .init(
          .moved, itemCode: "B", itemName: "title of B", positionBefore: 2, positionAfter: 1,
          fields: ["position", "rank"]),
        .init(
          .corrected, itemCode: "B", itemName: "title of B", positionBefore: 2, positionAfter: 1,
          fields: ["audience"]),
        .init(
          .moved, itemCode: "A", itemName: "title of A", positionBefore: 1, positionAfter: 2,
          fields: ["position", "rank"]),
      ]),
    Case(
      "a tie that was none", chart(entry("A", 1), entry("B", 2)),
      chart(entry("A", 1), with(entry("B", 2)) { $0.rank = 1 }),
      [
        .init(
          .moved, itemCode: "B", itemName: "title of B", positionBefore: 2, positionAfter: 2, fields: ["rank"]
        )
      ]),
    Case(
      "a title spelled anew", chart(entry("A", 1)), chart(with(entry("A", 1)) { $0.title = "new" }),
      [
        .init(
          .corrected, itemCode: "A", itemName: "new", positionBefore: 1, positionAfter: 1, fields: ["title"])
      ]),
    Case(
      "something else in its place", .movieDetails(movie), chart(entry("A", 1)), [.init(.appeared)]),
  ]

  static let others: [Case] = [
    Case("a movie's first details", nil, .movieDetails(movie), [.init(.appeared, itemName: "title")]),
    Case(
      "a movie's details in another order", .movieDetails(movie),
      .movieDetails(
        with(movie) {
          $0.nations.reverse()
          $0.genres.reverse()
          $0.directors.reverse()
          $0.actors.swapAt(0, 1)
          $0.showTypes.reverse()
          $0.companies.reverse()
          $0.audits.reverse()
          $0.staff.reverse()
        }), []),
    Case(
      "an actor who plays a part less", .movieDetails(movie),
      .movieDetails(
        with(movie) {
          $0.title = "new"
          $0.actors.removeFirst()
        }), [.init(.corrected, itemName: "new", fields: ["title", "actors"])]),
    Case(
      "as many, of others", .movieDetails(movie), .movieDetails(with(movie) { $0.genres[0] = "b" }),
      [.init(.corrected, itemName: "title", fields: ["genres"])]),
    Case("codes for the first time", nil, codes(seoul), [.init(.appeared)]),
    Case("no codes", nil, codes(), []),
    Case("codes in place of none", codes(), codes(seoul), [.init(.appeared)]),
    Case("codes in another order", codes(seoul, gyeonggi), codes(gyeonggi, seoul), []),
    Case(
      "a code more, one corrected, one less", codes(seoul, gyeonggi),
      codes(.init(code: "3", name: "강원도"), with(seoul) { $0.nameEnglish = "SEOUL" }),
      [
        .init(.appeared, itemCode: "3", itemName: "강원도"),
        .init(.corrected, itemCode: "1", itemName: "서울시", fields: ["nameEnglish"]),
        .init(.vanished, itemCode: "2", itemName: "경기도"),
      ]),
    Case(
      "a page", nil, page(listed("A"), listed("B")),
      [
        .init(.appeared, itemCode: "A", itemName: "title"),
        .init(.appeared, itemCode: "B", itemName: "title"),
      ]),
    Case(
      "a page whose rows were known, in whatever order", page(listed("B"), listed("A")),
      page(
        listed("A"),
        with(listed("B")) {
          $0.directors.reverse()
          $0.companies.reverse()
        }), []),
    Case(
      "a page with a new row and a corrected one; what is not on it is not gone",
      page(listed("A"), listed("B")), page(listed("C"), with(listed("B", title: "new")) { $0.status = "개봉" }),
      [
        .init(.appeared, itemCode: "C", itemName: "title"),
        .init(.corrected, itemCode: "B", itemName: "new", fields: ["title", "status"]),
      ]),
  ]

  @Test(arguments: charts + others)
  func `are`(_ example: Case) {
    #expect(example.new.differences(from: example.old) == example.differences)
  }

  @Test func `of people and companies say in which members`() throws {
    let person = try #require(person)
    let shuffled = with(person) {
      $0.homepages.reverse()
      $0.filmography.reverse()
    }
    func differences(_ new: PersonDetails) -> [CatalogChange.Difference] {
      CatalogValue.personDetails(new).differences(from: .personDetails(person))
    }
    #expect(differences(shuffled).isEmpty)
    #expect(
      differences(with(person) { $0.sex = "여자" }) == [.init(.corrected, itemName: "name", fields: ["sex"])])
    let company = try #require(company)
    let corrected = with(company) {
      $0.parts.append("c")
      $0.filmography.removeAll()
    }
    #expect(
      CatalogValue.companyDetails(corrected).differences(from: .companyDetails(company))
        == [.init(.corrected, itemName: "name", fields: ["parts", "filmography"])])
    #expect(
      CatalogValue.companyDetails(company).differences(from: nil) == [.init(.appeared, itemName: "name")])
  }

  /// What a value is compared by, and what else it holds, is all there is to it: no new member is forgotten.
  @Test func `know every member`() throws {
    let person = try #require(PersonCode("P"))
    let company = try #require(CompanyCode("C"))
    let compared: [(names: [String], value: Any, others: Set<String>)] = [
      (
        BoxOfficeEntry.comparedFields.map(\.name) + BoxOfficeEntry.placeFields.map(\.name), entry("A", 1),
        ["movieCode"]
      ),
      (MovieDetails.comparedFields.map(\.name), movie, ["code"]),
      (PersonDetails.comparedFields.map(\.name), PersonDetails(code: person, name: ""), ["code"]),
      (CompanyDetails.comparedFields.map(\.name), CompanyDetails(code: company, name: ""), ["code"]),
      (CodeTable.Entry.comparedFields.map(\.name), seoul, ["code"]),
      (ListedMovie.comparedFields.map(\.name), listed("A"), ["code"]),
      (ListedPerson.comparedFields.map(\.name), ListedPerson(code: person, name: ""), ["code"]),
      (ListedCompany.comparedFields.map(\.name), ListedCompany(code: company, name: ""), ["code"]),
    ]
    for (names, value, others) in compared {
      let members = Mirror(reflecting: value).children.compactMap(\.label)
      // The command calls a list's text of titles by a name of its own.
      let known = Set(names.map { $0 == "filmographyText" ? "filmography" : $0 })
      #expect(Set(members) == known.union(others))
      #expect(Set(names).count == names.count)
    }
  }

  @Test func `tell every figure apart`() {
    let one = entry("A", 1)
    for (index, field) in (BoxOfficeEntry.comparedFields + BoxOfficeEntry.placeFields).enumerated() {
      #expect(!field.differs(one, one))
      let other = corrected(one, in: field.name)
      #expect(field.differs(one, other), "\(field.name) is not compared")
      let all = (BoxOfficeEntry.comparedFields + BoxOfficeEntry.placeFields).enumerated()
      #expect(all.allSatisfy { $0.offset == index || !$0.element.differs(one, other) }, "\(field.name)")
    }
  }

  private func corrected(_ entry: BoxOfficeEntry, in name: String) -> BoxOfficeEntry {
    let percent = Percentage(thousandths: 7)
    return with(entry) { entry in
      switch name {
      case "position": entry.position += 1
      case "rank": entry.rank += 1
      case "rankChange": entry.rankChange += 1
      case "isNew": entry.isNew.toggle()
      case "title": entry.title += "!"
      case "openedOn": entry.openedOn = monday.day
      case "salesKRW": entry.salesKRW += 1
      case "salesShare": entry.salesShare = percent
      case "salesChangeKRW": entry.salesChangeKRW += 1
      case "salesChangePercent": entry.salesChangePercent = percent
      case "salesTotalKRW": entry.salesTotalKRW += 1
      case "audience": entry.audience += 1
      case "audienceChange": entry.audienceChange += 1
      case "audienceChangePercent": entry.audienceChangePercent = percent
      case "audienceTotal": entry.audienceTotal += 1
      case "screens": entry.screens += 1
      case "showings": entry.showings += 1
      default: break
      }
    }
  }
}
