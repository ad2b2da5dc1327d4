import Foundation
import Matinee
import Testing

@Suite struct `The documents` {
  let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// What stands between lines that are `start` and `end`.
  func regions(of text: String, from start: String, to end: String) -> [String] {
    var regions: [String] = []
    var open: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let lines = open {
        open = line == end ? nil : lines + [line]
        if line == end { regions.append(lines.joined(separator: "\n")) }
      } else if line == start {
        open = []
      }
    }
    return regions
  }

  @Test func `show only library code that compiles here`() throws {
    let shown = regions(of: try text("README.md"), from: "```swift", to: "```").map { block in
      // The imports and the package line stand at the head of the file that compiles.
      block.split(separator: "\n", omittingEmptySubsequences: false)
        .drop { $0.hasPrefix("import ") || $0.hasPrefix("//") || $0.isEmpty }.joined(separator: "\n")
    }
    let compiled = regions(
      of: try text("Tests/MatineeTests/ReadmeExamples.swift"), from: "// example", to: "// end")
    #expect(shown.count == 3)
    #expect(shown == compiled)
  }

  @Test func `name every product`() throws {
    let products = try text("Package.swift").matches(of: /\.(?:library|executable)\(name: "(\w+)", targets/)
      .map(\.1)
    let readme = try text("README.md")
    #expect(products.count >= 5)
    for product in products { #expect(readme.contains("| `\(product)` |"), "\(product) is not in README.md") }
  }

  @Test func `name every room`() throws {
    let architecture = try text("ARCHITECTURE.md")
    let rooms = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path())
    #expect(rooms.count > 10)
    for room in rooms { #expect(architecture.contains(room), "\(room) is not in ARCHITECTURE.md") }
  }

  @Test func `name every policy`() throws {
    let readme = try text("README.md")
    for policy in ReadPolicy.allCases {
      #expect(readme.contains("`\(policy)`"), "\(policy) is not in README.md")
    }
  }

  @Test func `tell the truth about an offline chart`() async throws {
    let failure = await #expect(throws: CatalogFailure.self) { try await offlineChart() }
    #expect(failure?.code == .offline)
  }
}
