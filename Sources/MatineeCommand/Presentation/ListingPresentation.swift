import CatalogEngine

/// A row of a listing, as the command prints it.
protocol ListedRow: Hashable, Sendable {
  /// The list that has such rows.
  static var list: ListArgument { get }
  /// The names of a record's fields, in order.
  static var names: [String] { get }
  /// The columns of the table for people.
  static var columns: [Table.Column] { get }
  /// The fields of a record.
  var fields: [String?] { get }
  /// The cells of a table's row.
  var cells: [Table.Cell] { get }
  /// Writes the row as members of the object that is open.
  func write(to json: inout JSONWriter)
}

/// A page of what is stored of movies, people or companies.
struct ListingPresentation<Row: ListedRow>: RowPresentation {
  let listing: Listing<Row>
  let place: PagePlace
  let now: Timestamp

  func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("list", Row.list.rawValue)
      json.members(of: place)
      json.member("completedAt", listing.completedAt?.description)
      json.member("rows", each: listing.rows) { json, row in json.object { row.write(to: &$0) } }
    }
    return json.text + "\n"
  }

  func csv() -> String {
    var csv = CSVWriter(header: Row.names)
    for row in listing.rows { csv.append(row.fields) }
    return csv.text
  }

  func table(width: Int, style: Style) -> String {
    let heading = place.heading(Row.list.rawValue.capitalizedFirst, style: style)
    let age =
      listing.completedAt.map { "the upstream's list was gone through \(now.duration(since: $0).ago)" }
      ?? "the upstream's list was never gone through completely"
    guard !listing.rows.isEmpty else { return heading + "\n" + age + "\n" }
    var table = Table(Row.columns)
    for row in listing.rows { table.append(row.cells) }
    return ([heading, age, ""] + table.lines(width: width, style: style)).joined(separator: "\n") + "\n"
  }

  /// What has to be known of the listing before it is trusted: how to fetch what is not there, and that there is no
  /// such page.
  var warnings: [String] {
    var warnings: [String] = []
    if listing.completedAt == nil {
      let list = Row.list
      let known =
        list == .movies
        ? "these are the movies that charts, details and parts of it name" : "these are the parts of it"
      let sync = "`matinee sync --only \(list.rawValue)` fetches it"
      warnings.append(
        "the upstream's list of \(list.rawValue) was never gone through completely: \(known); \(sync)")
    }
    return warnings + [place.warning].compactMap(\.self)
  }
}

extension PagePlace {
  /// The listing's name, the page, and how many rows there are in all.
  func heading(_ name: String, style: Style) -> String {
    let pages = count > 0 ? " · page \(page.grouped) of \(count.grouped)" : ""
    return style.drawn(name, as: .heading) + pages + " · \(totalCount.grouped) in all"
  }
}

extension String {
  /// The text with its first character in upper case.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
