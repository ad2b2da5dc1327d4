import Foundation
import KOBISFixtures
import Testing

@Suite struct `When fixtures are added` {
  @Test func `what is embedded stays small enough to compile`() {
    let bodies = Array(RecordedWeek.dailyBodies.values) + Array(RecordedWeek.movieBodies.values)
    let byteCount = (bodies + [RecordedWeek.weeklyBody, RecordedWeek.weekendBody]).reduce(0) { $0 + $1.count }
    let embeddedByteCountMax = 50_000
    #expect(byteCount <= embeddedByteCountMax)
  }

  @Test func `no two files share a name, and each embedded one is served`() throws {
    let files = FileManager.default
    let root = FixtureFile.package.appending(path: "Fixtures")
    let recorded = try files.contentsOfDirectory(atPath: root.appending(path: "recorded").path)
    let answers = try files.contentsOfDirectory(atPath: root.appending(path: "answers").path)
    #expect(Set(recorded).isDisjoint(with: answers))
    #expect(recorded.count == RecordedWeek.dailyBodies.count + RecordedWeek.movieBodies.count + 2)
  }

  @Test func `each file is told of in the folder's README`() throws {
    let root = FixtureFile.package.appending(path: "Fixtures")
    let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    for name in try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "answers").path) {
      // `fault-320011.json` is told of as `-320011`.
      let isNamed = text.contains(name) || text.contains("`-\(name.dropFirst(6).dropLast(5))`")
      #expect(isNamed, "\(name)")
    }
  }
}
