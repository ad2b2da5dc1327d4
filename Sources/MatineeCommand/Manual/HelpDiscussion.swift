/// The discussion of a help text, taken apart: paragraphs, and lists under headings such as `EXAMPLES:`.
struct HelpDiscussion {
  struct List {
    /// The heading without its colon.
    var heading: String
    /// The lines below it, without their indentation.
    var lines: [String]
  }

  var paragraphs: [String] = []
  var lists: [List] = []

  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for block in lines.split(whereSeparator: \.isEmpty) {
      guard let first = block.first else { continue }
      let heading = first.dropLast()
      if first.hasSuffix(":"), heading == heading.uppercased() {
        lists.append(
          List(heading: String(heading), lines: block.dropFirst().map { String($0.drop { $0 == " " }) }))
      } else {
        paragraphs.append(block.joined(separator: " "))
      }
    }
  }

  /// The lines of the list under a heading.
  func lines(under heading: String) -> [String] { lists.filter { $0.heading == heading }.flatMap(\.lines) }
}
