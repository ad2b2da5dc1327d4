/// A table of text that fits a width: columns line up by display width, the least important leave first, and the
/// one that may shrink is cut last.
struct Table {
  /// Which side a column's cells lean on.
  enum Alignment: Sendable { case left, right }

  /// One column.
  struct Column {
    var title: String
    var alignment: Alignment
    /// Columns of higher numbers leave first when the width is short; those of 0 never do.
    var priority: Int
    /// The width down to which the column may be cut; `nil` if its cells are always shown whole.
    var widthMin: Int?

    init(_ title: String, _ alignment: Alignment = .right, priority: Int = 0, widthMin: Int? = nil) {
      self.title = title
      self.alignment = alignment
      self.priority = priority
      self.widthMin = widthMin
    }
  }

  /// One cell: its text, and how it is drawn.
  struct Cell: ExpressibleByStringLiteral {
    var text: String
    var role: Style.Role

    init(_ text: String, _ role: Style.Role = .plain) {
      self.text = text.neutralized
      self.role = role
    }

    init(stringLiteral value: String) { self.init(value) }
  }

  /// The space between columns.
  static let gap = "  "

  var columns: [Column]
  var rows: [[Cell]] = []

  init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row.
  ///
  /// - Precondition: There is a cell for each column.
  mutating func append(_ row: [Cell]) {
    precondition(row.count == columns.count, "a row has a cell for each column")
    rows.append(row)
  }

  /// The table's lines, the titles first, none wider than `width` unless what must stay is.
  func lines(width: Int, style: Style) -> [String] {
    let natural = columns.indices.map { index in
      rows.reduce(columns[index].title.displayWidth) { max($0, $1[index].text.displayWidth) }
    }
    let (shown, widths) = fitted(natural, to: width)
    let heading = line(columns.map { Cell($0.title, .heading) }, shown: shown, widths: widths, style: style)
    return [heading] + rows.map { line($0, shown: shown, widths: widths, style: style) }
  }

  /// The columns that stay, and every column's width.
  private func fitted(_ natural: [Int], to width: Int) -> (shown: [Int], widths: [Int]) {
    func needed(_ shown: [Int], _ widths: [Int]) -> Int {
      shown.reduce(Self.gap.count * (shown.count - 1)) { $0 + widths[$1] }
    }
    let least = columns.indices.map { index in columns[index].widthMin.map { min($0, natural[index]) } }
    let tight = columns.indices.map { least[$0] ?? natural[$0] }
    var shown = Array(columns.indices)
    while needed(shown, tight) > width,
      let last = shown.max(by: { (columns[$0].priority, $0) < (columns[$1].priority, $1) }),
      columns[last].priority > 0
    {
      shown.removeAll { $0 == last }
    }
    var widths = natural
    for index in shown where least[index] != nil {
      let excess = needed(shown, widths) - width
      if excess > 0 { widths[index] = max(tight[index], widths[index] - excess) }
    }
    return (shown, widths)
  }

  private func line(_ cells: [Cell], shown: [Int], widths: [Int], style: Style) -> String {
    var parts: [String] = []
    for index in shown {
      let text = cells[index].text.truncated(toWidth: widths[index])
      let padding = String(repeating: " ", count: max(0, widths[index] - text.displayWidth))
      let drawn = style.drawn(text, as: cells[index].role)
      switch columns[index].alignment {
      case .left: parts.append(index == shown.last ? drawn : drawn + padding)
      case .right: parts.append(padding + drawn)
      }
    }
    return parts.joined(separator: Self.gap)
  }
}
