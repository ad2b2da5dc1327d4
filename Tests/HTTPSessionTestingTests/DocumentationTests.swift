import Foundation
import HTTPSessionTesting
import Testing

@Suite struct `When the documentation shows code` {
  private let tests = URL(filePath: #filePath).deletingLastPathComponent()

  /// The lines of a region without their common indentation.
  private func dedented(_ lines: [Substring]) -> String {
    let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
  }

  private func regions(of url: URL, from start: String, to end: String) throws -> [String] {
    var regions: [String] = []
    var open: [Substring]?
    for line in try String(contentsOf: url, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      let mark = line.trimming { $0 == " " }
      if let lines = open {
        open = mark == end ? nil : lines + [line]
        if mark == end { regions.append(dedented(lines)) }
      } else if mark == start {
        open = []
      }
    }
    try #require(open == nil, "A region is not closed.")
    return regions
  }

  @Test func `every snippet of the five minutes stands in a test that runs`() throws {
    let catalogue = tests.appending(
      path: "../../Sources/HTTPSessionTesting/HTTPSessionTesting.docc"
    ).standardized
    let page = catalogue.appending(path: "TestYourNetworkingCodeInFiveMinutes.md")
    let shown = try regions(of: page, from: "```swift", to: "```")
    let run = try ["FiveMinutesTests.swift", "../MatineeTests/FiveMinutesTests.swift"].flatMap { path in
      try regions(of: tests.appending(path: path).standardized, from: "// snippet", to: "// end")
    }
    try #require(shown.count >= 10)
    for snippet in shown {
      #expect(run.contains(snippet), "It is on the page, and in no test:\n\(snippet)")
    }
    for snippet in run {
      #expect(shown.contains(snippet), "It is in the tests, and not on the page:\n\(snippet)")
    }
  }

  @Test func `every error code is on the page of errors`() throws {
    let sources = tests.appending(path: "../../Sources/HTTPSessionTesting").standardized
    let source = try String(
      contentsOf: sources.appending(path: "Errors/HTTPTestingError.swift"), encoding: .utf8)
    let page = try String(
      contentsOf: sources.appending(path: "HTTPSessionTesting.docc/WhatTheKitReports.md"),
      encoding: .utf8)
    let codes = source.matches(of: /static let \w+ = Code\(rawValue: "(\w+)"\)/).map {
      String($0.1)
    }
    try #require(codes.count > 10)
    for code in codes { #expect(page.contains("`\(code)`"), "\(code) is not on the page.") }
  }
}

extension Substring {
  fileprivate func trimming(_ isDropped: (Character) -> Bool) -> Substring {
    var text = drop { isDropped($0) }
    while let last = text.last, isDropped(last) { text.removeLast() }
    return text
  }
}
