import ArgumentParser
import Testing

@testable import MatineeCommand

/// Holds the manual page and the completions to the help texts, which the parser makes by another way.
@Suite struct `When the command is installed` {
  private static let subcommands: [String] = MatineeArguments.configuration.subcommands.compactMap {
    command in
    let configuration = command.configuration
    return configuration.shouldDisplay ? configuration.commandName : nil
  }

  private func options(of subcommand: String?, at desk: Desk) async -> Set<String> {
    HelpText(await desk.run(["help"] + [subcommand].compactMap(\.self)).output).options
  }

  @Test func `the manual page names every subcommand and every option`() async throws {
    try await withDesk { desk in
      let outcome = await desk.run("generate-manual")
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      let page = outcome.output.replacing("\\-", with: "-")
      for name in Self.subcommands {
        #expect(page.contains(".Nm matinee\n.Cm \(name)\n"))
        let section = try #require(page.section(".Ss \(name)\n"), "there is no section on \(name)")
        let own = await options(of: name, at: desk).subtracting(await options(of: nil, at: desk))
        #expect(!own.isEmpty)
        for option in own {
          #expect(section.contains("Fl \(option.dropFirst())"), "\(name) \(option)")
        }
      }
      for option in await options(of: nil, at: desk) {
        #expect(page.contains("Fl \(option.dropFirst())"), "\(option)")
      }
    }
  }

  @Test func `the manual page has the sections that one looks for, in their order`() throws {
    let page = try ManualPage().text
    let sections = page.matches(of: /(?m)^\.Sh (.*)$/).map { String($0.output.1) }
    #expect(
      sections == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "SUBCOMMANDS", "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES",
        "SEE ALSO",
      ])
    for (status, _) in CommandStatus.meanings { #expect(page.contains("\n.It \(status.rawValue)\n")) }
    for name in Self.subcommands { #expect(page.contains("\nWith \(name):\n")) }
    #expect(!page.contains("EXIT STATUS:") && !page.contains("EXAMPLES:"))
  }

  @Test func `the manual page tells of every variable that is read, and of no other`() {
    #expect(ManualPage.environment.map(\.name).sorted() == Settings.variables.sorted())
  }

  @Test func `the manual page is of the latest release`() throws {
    let changes = try Fixture.text("CHANGELOG.md")
    let release = try #require(changes.firstMatch(of: /(?m)^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$/))
    #expect(release.output.1 == CommandVersion.current)
    #expect(release.output.2 == CommandVersion.releasedOn)
    let head = try ManualPage().text.split(separator: "\n").prefix(3)
    #expect(head[0].hasPrefix(".Dd ") && head[0].hasSuffix(", \(CommandVersion.releasedOn.prefix(4))"))
    #expect(head.dropFirst() == [".Dt MATINEE 1", ".Os Matinee \(CommandVersion.current)"])
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completions name every subcommand, every option and every fixed value`(shell: String) async throws {
    try await withDesk { desk in
      let outcome = await desk.run("--generate-completion-script", shell)
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      for name in Self.subcommands { #expect(outcome.output.contains(name)) }
      for name in [nil] + Self.subcommands {
        for option in await options(of: name, at: desk) {
          let form = shell == "fish" ? "-l '\(option.dropFirst(2))'" : option
          #expect(outcome.output.contains(form), "\(option)")
        }
      }
      for value in [
        "ndjson", "csv", "weekend", "details", "cache-first", "network-only", "recorded", "yesterday",
        "trace",
      ] {
        #expect(outcome.output.contains(value), "\(value)")
      }
      #expect(!outcome.output.contains("generate-manual"))
    }
  }
}

@Suite struct `When a manual page is written` {
  private func written(_ write: (inout MdocWriter) -> Void) -> String {
    var writer = MdocWriter()
    write(&writer)
    return writer.text
  }

  @Test func `what it is made of shows as it is`() {
    #expect(
      MdocWriter.escaped(#"a\b -c 'd' `e` "f" ^g ~h … 관"#)
        == #"a\eb \-c \(aqd\(aq \(gae\(ga \(dqf\(dq \(hag \(tih \[u2026] \[uAD00]"#)
    #expect(written { $0.prose(".Sh is no heading here.") } == "\\&.Sh is no heading here.\n")
    #expect(written { $0.literal([".Ed", "x"]) } == ".Bd -literal -offset 2n\n\\&.Ed\nx\n.Ed\n")
    #expect(MdocWriter.word("Ar") == "\\&Ar")
    #expect(MdocWriter.word("two words") == "\"two words\"")
  }

  @Test func `sentences begin on lines of their own, and lines are short`() {
    #expect(written { $0.prose("One. two! 3 is three.") } == "One.\ntwo!\n3 is three.\n")
    let long = written { $0.prose(Array(repeating: "word", count: 40).joined(separator: " ")) }
    #expect(long.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(long.split(whereSeparator: \.isWhitespace).count == 40)
  }

  @Test func `a discussion is taken apart`() {
    let discussion = HelpDiscussion(
      "One\ntwo.\n\nEXAMPLES:\n  a  b\n  c\n\nThree: four.\n\nEXIT STATUS:\n   0  x")
    #expect(discussion.paragraphs == ["One two.", "Three: four."])
    #expect(discussion.lines(under: "EXAMPLES") == ["a  b", "c"])
    #expect(discussion.lists.map(\.heading) == ["EXAMPLES", "EXIT STATUS"])
  }
}

extension String {
  /// What stands between a heading and the next one of any rank.
  fileprivate func section(_ heading: String) -> Substring? {
    guard let start = firstRange(of: heading) else { return nil }
    let rest = self[start.upperBound...]
    return rest.firstMatch(of: #/(?m)^\.S[sh] /#).map { rest[..<$0.range.lowerBound] } ?? rest
  }
}
