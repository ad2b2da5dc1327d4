import CatalogEngine
import SQLiteBinding

/// The calls of each upstream's day last charged, noted beside the database: who puts an older copy in its place would
/// otherwise have the day's calls anew.
///
/// A line an upstream: `kobis 20261121 1234`. The note is raised before the ledger is committed, so that it is never below
/// it; a commit that fails costs a unit. A note that cannot be written keeps nobody from a call: the ledger is in the
/// database.
struct LedgerNote: Sendable {
  struct Line: Hashable, Sendable {
    var upstream: UpstreamID
    var day: CalendarDay
    var usedCount: Int
  }

  /// A line of more calls is not believed.
  private static let usedCountMax = 1_000_000

  let note: GateNote

  /// What is noted; lines that are none are left out.
  var lines: [Line] { note.text().map(Self.lines) ?? [] }

  /// Notes that so many calls of a day are used. For use within a write.
  func raise(_ upstream: UpstreamID, on day: CalendarDay, to usedCount: Int) {
    let lines = lines
    let noted = lines.first { $0.upstream == upstream && $0.day == day }?.usedCount ?? 0
    guard usedCount > noted else { return }
    let line = Line(upstream: upstream, day: day, usedCount: usedCount)
    note.replace(with: Self.text(of: lines.filter { $0.upstream != upstream } + [line]))
  }

  static func text(of lines: [Line]) -> String {
    lines.map { "\($0.upstream.name) \($0.day.basicFormat) \($0.usedCount)\n" }.joined()
  }

  static func lines(of text: String) -> [Line] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 3, !words[0].isEmpty, let day = CalendarDay(words[1]),
        let usedCount = Int(words[2]), (0...usedCountMax).contains(usedCount)
      else { return nil }
      return Line(upstream: UpstreamID(String(words[0])), day: day, usedCount: usedCount)
    }
  }
}
