import CatalogEngine

/// What the store learned, as the command prints it.
struct ChangesPresentation: RowPresentation {
  let query: ChangeQuery
  let changes: [CatalogChange]
  /// Whether there are more than the query's limit let through.
  let hasMore: Bool

  /// The names of a change's members, in order.
  static let names = [
    "id", "at", "resource", "revision", "kind", "itemCode", "itemName", "positionBefore", "positionAfter",
    "fields",
  ]

  /// What the next call goes on after: the last change that is printed, or where this call began.
  var lastID: CatalogChange.ID? { changes.last?.id ?? query.after }

  func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("changes", each: changes) { json, change in json.object { $0.members(of: change) } }
      json.member("lastID", lastID?.rawValue)
      json.member("hasMore", hasMore)
    }
    return json.text + "\n"
  }

  /// A line of JSON for each change.
  func lines() -> String {
    var text = ""
    for change in changes {
      var json = JSONWriter()
      json.object { $0.members(of: change) }
      text += json.text + "\n"
    }
    return text
  }

  /// The changes as records; names of fields are parted by blanks.
  func csv() -> String {
    var csv = CSVWriter(header: Self.names)
    for change in changes {
      let difference = change.difference
      csv.append([
        String(change.id.rawValue), change.at.description, change.resource.description,
        String(change.revision), difference.kind.rawValue, difference.itemCode, difference.itemName,
        difference.positionBefore.map(String.init), difference.positionAfter.map(String.init),
        difference.fields.isEmpty ? nil : difference.fields.joined(separator: " "),
      ])
    }
    return csv.text
  }

  func table(width: Int, style: Style) -> String {
    let since = query.since.map { " since \($0.shownInKorea) in Korea" } ?? ""
    let after = query.after.map { " after \($0.rawValue)" } ?? ""
    let count = changes.isEmpty ? "none" : "\(changes.count.grouped)\(hasMore ? ", and there are more" : "")"
    let heading = style.drawn("Changes\(since)\(after)", as: .heading) + " · \(count)"
    guard !changes.isEmpty else { return heading + "\n" }
    var table = Table([
      .init("Stored in Korea", .left, priority: 2), .init("What", .left),
      .init("Of", .left), .init("Item", .left, widthMin: 16), .init("Place", priority: 1),
      .init("Fields", .left, priority: 3, widthMin: 12),
    ])
    for change in changes { table.append(Self.cells(of: change)) }
    return ([heading, ""] + table.lines(width: width, style: style)).joined(separator: "\n") + "\n"
  }

  private static func cells(of change: CatalogChange) -> [Table.Cell] {
    let difference = change.difference
    let role: Style.Role =
      switch difference.kind {
      case .appeared: .new
      case .moved: .plain
      case .corrected: .rise
      case .vanished: .fall
      }
    return [
      .init(change.at.shownInKorea, .faint), .init(difference.kind.rawValue, role),
      .init("\(change.resource.subject.kind.rawValue)/\(change.resource.subject.key)"),
      .init(difference.itemName ?? difference.itemCode ?? "–"), .init(place(of: difference)),
      .init(difference.fields.joined(separator: ", "), .faint),
    ]
  }

  /// The item's position before and now, as `3→1`; what it has of both where it has one alone.
  private static func place(of difference: CatalogChange.Difference) -> String {
    switch (difference.positionBefore, difference.positionAfter) {
    case (nil, nil): ""
    case (let before?, nil): "\(before)→"
    case (nil, let after?): "→\(after)"
    case (let before?, let after?): before == after ? "\(after)" : "\(before)→\(after)"
    }
  }
}

extension JSONWriter {
  /// Writes a change as members of the object that is open.
  fileprivate mutating func members(of change: CatalogChange) {
    let difference = change.difference
    member("id", change.id.rawValue)
    member("at", change.at.description)
    member("resource", change.resource.description)
    member("revision", change.revision)
    member("kind", difference.kind.rawValue)
    member("itemCode", difference.itemCode)
    member("itemName", difference.itemName)
    member("positionBefore", difference.positionBefore)
    member("positionAfter", difference.positionAfter)
    member("fields", each: difference.fields) { $0.value($1) }
  }
}
