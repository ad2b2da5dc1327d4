import CatalogEngine

/// One named figure of a chart's row, in the form that JSON and CSV share.
struct ChartField {
  /// What a field holds.
  enum Content {
    case integer(Int64)
    /// An exact decimal, spelled as JSON spells numbers.
    case decimal(String)
    case text(String?)
    case flag(Bool)
  }

  var name: String
  var content: Content
}

extension ChartField {
  /// The row's fields, in the contract's order.
  static func fields(of entry: BoxOfficeEntry) -> [ChartField] {
    [
      ChartField(name: "position", content: .integer(Int64(entry.position))),
      ChartField(name: "rank", content: .integer(Int64(entry.rank))),
      ChartField(name: "rankChange", content: .integer(Int64(entry.rankChange))),
      ChartField(name: "isNew", content: .flag(entry.isNew)),
      ChartField(name: "movieCode", content: .text(entry.movieCode.text)),
      ChartField(name: "title", content: .text(entry.title)),
      ChartField(name: "openedOn", content: .text(entry.openedOn?.description)),
      ChartField(name: "salesKRW", content: .integer(entry.salesKRW)),
      ChartField(name: "salesShare", content: .decimal(entry.salesShare.description)),
      ChartField(name: "salesChangeKRW", content: .integer(entry.salesChangeKRW)),
      ChartField(name: "salesChangePercent", content: .decimal(entry.salesChangePercent.description)),
      ChartField(name: "salesTotalKRW", content: .integer(entry.salesTotalKRW)),
      ChartField(name: "audience", content: .integer(entry.audience)),
      ChartField(name: "audienceChange", content: .integer(entry.audienceChange)),
      ChartField(name: "audienceChangePercent", content: .decimal(entry.audienceChangePercent.description)),
      ChartField(name: "audienceTotal", content: .integer(entry.audienceTotal)),
      ChartField(name: "screens", content: .integer(Int64(entry.screens))),
      ChartField(name: "showings", content: .integer(Int64(entry.showings))),
    ]
  }

  /// The fields' names, in the contract's order.
  static let names = [
    "position", "rank", "rankChange", "isNew", "movieCode", "title", "openedOn", "salesKRW", "salesShare",
    "salesChangeKRW", "salesChangePercent", "salesTotalKRW", "audience", "audienceChange",
    "audienceChangePercent", "audienceTotal", "screens", "showings",
  ]

  /// The field as a CSV record holds it; `nil` if it is absent.
  var spelled: String? {
    switch content {
    case .integer(let number): String(number)
    case .decimal(let spelling): spelling
    case .text(let text): text
    case .flag(let flag): flag ? "true" : "false"
    }
  }
}

extension JSONWriter {
  /// Writes a chart's row as members of the object that is open.
  mutating func members(of entry: BoxOfficeEntry) {
    for field in ChartField.fields(of: entry) {
      switch field.content {
      case .integer(let number): member(field.name, number)
      case .decimal(let spelling):
        name(field.name)
        number(spelling)
      case .text(let text): member(field.name, text)
      case .flag(let flag): member(field.name, flag)
      }
    }
  }
}
