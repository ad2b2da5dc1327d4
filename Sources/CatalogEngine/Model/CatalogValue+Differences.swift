extension CatalogValue {
  /// What this answer says that `old` did not, item by item.
  ///
  /// - What was never stored, or held nothing so far, appears as a whole; an answer that holds nothing is no news.
  /// - Of a chart each movie can appear, move (to another position or rank), have its figures corrected, or vanish;
  ///   one that moved and was corrected gives two differences. They stand in the order of the chart, what vanished last.
  /// - Details are corrected as a whole, and say in which members; a list in another order is no difference.
  /// - Of a list of codes each code can appear, be corrected or vanish.
  /// - Of a page each row can appear or be corrected. `old` holds what was known of the rows before, wherever they
  ///   stood; that a row is on no page any more cannot be told from one page, and no row's place is told.
  ///
  /// - Parameter old: What was stored before; `nil` if nothing was.
  package func differences(from old: CatalogValue?) -> [CatalogChange.Difference] {
    switch self {
    case .boxOffice(let chart): chart.differences(from: old.flatMap(BoxOffice.init))
    case .movieDetails(let details):
      Self.differences(of: details, from: old.flatMap(MovieDetails.init), name: details.title)
    case .personDetails(let details):
      Self.differences(of: details, from: old.flatMap(PersonDetails.init), name: details.name)
    case .companyDetails(let details):
      Self.differences(of: details, from: old.flatMap(CompanyDetails.init), name: details.name)
    case .codes(let table): table.differences(from: old.flatMap(CodeTable.init))
    case .moviePage(let page):
      if case .moviePage(let old)? = old { page.rows.differences(from: old.rows) } else { page.rows.appeared }
    case .companyPage(let page):
      if case .companyPage(let old)? = old {
        page.rows.differences(from: old.rows)
      } else {
        page.rows.appeared
      }
    case .peoplePage(let page):
      if case .peoplePage(let old)? = old {
        page.rows.differences(from: old.rows)
      } else {
        page.rows.appeared
      }
    }
  }

  private static func differences<Details: Comparand>(
    of new: Details, from old: Details?, name: String
  ) -> [CatalogChange.Difference] {
    guard let old else { return [.init(.appeared, itemName: name)] }
    let fields = new.fieldNames(differingFrom: old)
    return fields.isEmpty ? [] : [.init(.corrected, itemName: name, fields: fields)]
  }
}

extension BoxOffice {
  fileprivate func differences(from old: BoxOffice?) -> [CatalogChange.Difference] {
    guard let old, !old.entries.isEmpty else { return entries.isEmpty ? [] : [.init(.appeared)] }
    var left = Dictionary(old.entries.map { ($0.movieCode, $0) }, uniquingKeysWith: { first, _ in first })
    var differences: [CatalogChange.Difference] = []
    for entry in entries {
      func add(_ kind: CatalogChange.Kind, before: BoxOfficeEntry?, _ fields: [String]) {
        differences.append(
          .init(
            kind, itemCode: entry.movieCode.text, itemName: entry.title, positionBefore: before?.position,
            positionAfter: entry.position, fields: fields))
      }
      guard let before = left.removeValue(forKey: entry.movieCode) else {
        add(.appeared, before: nil, [])
        continue
      }
      let place = BoxOfficeEntry.placeFields.compactMap { $0.differs(entry, before) ? $0.name : nil }
      if !place.isEmpty { add(.moved, before: before, place) }
      let fields = entry.fieldNames(differingFrom: before)
      if !fields.isEmpty { add(.corrected, before: before, fields) }
    }
    for entry in old.entries where left[entry.movieCode] != nil {
      differences.append(
        .init(
          .vanished, itemCode: entry.movieCode.text, itemName: entry.title, positionBefore: entry.position))
    }
    return differences
  }
}

extension CodeTable {
  fileprivate func differences(from old: CodeTable?) -> [CatalogChange.Difference] {
    guard let old, !old.entries.isEmpty else { return entries.isEmpty ? [] : [.init(.appeared)] }
    let codes = Set(entries.map(\.code))
    return entries.differences(from: old.entries)
      + old.entries.filter { !codes.contains($0.code) }
      .map { .init(.vanished, itemCode: $0.code, itemName: $0.name) }
  }
}

/// A row that has a code of its own.
private protocol CodedRow: Comparand {
  var itemCode: String { get }
  var itemName: String { get }
}

extension CodeTable.Entry: CodedRow {
  fileprivate var itemCode: String { code }
  fileprivate var itemName: String { name }
}

extension ListedMovie: CodedRow {
  fileprivate var itemCode: String { code.text }
  fileprivate var itemName: String { title }
}

extension ListedCompany: CodedRow {
  fileprivate var itemCode: String { code.text }
  fileprivate var itemName: String { name }
}

extension ListedPerson: CodedRow {
  fileprivate var itemCode: String { code.text }
  fileprivate var itemName: String { name }
}

extension Array where Element: CodedRow {
  fileprivate var appeared: [CatalogChange.Difference] { differences(from: []) }

  /// What appeared and was corrected; what vanished is not told.
  fileprivate func differences(from old: [Element]) -> [CatalogChange.Difference] {
    let known = Dictionary(old.map { ($0.itemCode, $0) }, uniquingKeysWith: { first, _ in first })
    return compactMap { row in
      guard let before = known[row.itemCode] else {
        return .init(.appeared, itemCode: row.itemCode, itemName: row.itemName)
      }
      let fields = row.fieldNames(differingFrom: before)
      guard !fields.isEmpty else { return nil }
      return .init(.corrected, itemCode: row.itemCode, itemName: row.itemName, fields: fields)
    }
  }
}
