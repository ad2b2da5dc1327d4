/// The facts of a head, a labelled line each; a fact without a text is left out.
struct FactLines {
  var facts: [(label: String, text: String?)]

  /// The cells that labels take; none is longer.
  private static let labelWidth = 10
  /// The most names that one line lists.
  private static let listedCountMax = 8

  init(_ facts: [(label: String, text: String?)]) { self.facts = facts }

  func lines(width: Int, style: Style) -> [String] {
    facts.compactMap { fact in
      guard let text = fact.text else { return nil }
      let padding = String(repeating: " ", count: max(0, Self.labelWidth - fact.label.count))
      let shown = text.neutralized.truncated(toWidth: max(20, width - Self.labelWidth - 1))
      return style.drawn(fact.label, as: .faint) + padding + " " + shown
    }
  }

  /// The first names of a list, and how many more there are; `nil` for an empty one.
  static func list(_ names: [String]) -> String? {
    guard !names.isEmpty else { return nil }
    let shown = names.prefix(listedCountMax).joined(separator: ", ")
    return names.count > listedCountMax ? "\(shown) and \(names.count - listedCountMax) more" : shown
  }

  /// A heading of a name and its other forms, each once.
  static func heading(_ name: String, _ others: String?..., style: Style) -> String {
    let shown = ([name] + others.compactMap(\.self)).uniqued()
    return style.drawn(shown.map(\.neutralized).joined(separator: " · "), as: .heading)
  }
}

extension Sequence where Element: Hashable {
  /// The elements without repetitions, in the order they first come.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
