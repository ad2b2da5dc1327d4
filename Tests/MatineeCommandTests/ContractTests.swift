import CatalogEngine
import Foundation
import Testing

@testable import MatineeCommand

// Swift Testing has an `ExitStatus` of its own.
typealias CommandStatus = MatineeCommand.ExitStatus

/// Holds help texts and documentation to the code, and the code to the contract.
@Suite struct `When the command is documented` {
  private static let subcommands = [
    "sync",
    "show",
    "movie",
    "person",
    "company",
    "list",
    "changes",
    "status",
    "doctor",
    "backup",
    "config",
    "export",
    "prune",
  ]

  /// Every option and flag, by subcommand, as the contract names them.
  private static let options: [String: [String]] = [
    "sync": [
      "--from", "--to", "--days", "--only", "--budget", "--every", "--once", "--dry-run", "--wait",
      "--no-wait",
      "--trust-clock", "--format",
    ],
    "show": [
      "--weekend", "--weekly", "--weekdays", "--filter", "--policy", "--max-age", "--offline", "--format",
    ],
    "movie": ["--policy", "--max-age", "--offline", "--format"],
    "person": ["--policy", "--max-age", "--offline", "--format"],
    "company": ["--policy", "--max-age", "--offline", "--format"],
    "list": ["--page", "--page-size", "--gone", "--of", "--format"],
    "changes": ["--since", "--after", "--kind", "--limit", "--format"],
    "status": ["--runs", "--format"],
    "doctor": ["--online", "--format"],
    "backup": ["--force", "--format"],
    "config": ["--format"],
    "prune": ["--keep", "--charts", "--vacuum", "--dry-run", "--format"],
    "export": ["--format", "--output", "--force", "--from", "--to", "--list"],
  ]

  private static let globalOptions = ["--database", "--upstream", "--config", "--log-level"]

  @Test(arguments: subcommands)
  func `a subcommand's help lists its options, and no others, and has examples`(name: String) async throws {
    try await withDesk { desk in
      let outcome = await desk.run("help", name)
      #expect(outcome.status == 0)
      let expected = Self.options[name, default: []] + Self.globalOptions + ["--version", "--help"]
      #expect(HelpText(outcome.output).options == Set(expected))
      #expect(outcome.output.contains("EXAMPLES:\n  matinee \(name)"))
      #expect(await desk.run(name, "--help").output == outcome.output)
      #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE") })
    }
  }

  @Test func `the root's help lists these subcommands and no others, and every exit status`() async throws {
    try await withDesk { desk in
      for arguments in [["help"], ["--help"], []] {
        let help = await desk.run(arguments).output
        let list = try #require(help.split(separator: "SUBCOMMANDS:\n").last)
        let names = list.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
          .compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(names.filter { $0 != "See" } == Self.subcommands)
        for (status, meaning) in CommandStatus.meanings {
          #expect(help.contains("\(status.rawValue)  \(meaning)"))
        }
        #expect(HelpText(help).options == Set(Self.globalOptions + ["--version", "--help"]))
      }
    }
  }

  @Test func `Documentation/command.md names every subcommand, option, variable, status, code and key`()
    throws
  {
    let text = try Fixture.text("Documentation/command.md")
    let sections = text.split(separator: "\n").filter { $0.hasPrefix("## ") }
    for name in Self.subcommands { #expect(sections.contains { $0.contains("`\(name)") }) }
    for option in Self.options.values.joined() + Self.globalOptions { #expect(text.contains("`\(option)")) }
    for variable in Settings.variables { #expect(text.contains(variable)) }
    for (status, meaning) in CommandStatus.meanings {
      #expect(text.contains("| \(status.rawValue) | \(meaning) |"))
    }
    for code in CatalogFailure.Code.all { #expect(text.contains("| `\(code)` |")) }
    for code in StoreError.Code.all { #expect(text.contains("`\(code)`")) }
    for reason in SyncReport.StopReason.all { #expect(text.contains("`\(reason)`")) }
    for name in ChartField.names { #expect(text.contains("`\(name)`")) }
    for freshness in Freshness.allCases { #expect(text.contains("`\(freshness.rawValue)`")) }
    for stream in SyncRequest.Stream.unfiltered { #expect(text.contains("`\(stream.name)`")) }
    for reason in SyncPlan.Reason.allCases { #expect(text.contains("`\(reason.rawValue)`")) }
    for name in ListArgument.allCases { #expect(text.contains("\(name.rawValue)")) }
    for list in CodeList.allCases { #expect(text.contains("`\(list.rawValue)`")) }
    for kind in CatalogChange.Kind.allCases { #expect(text.contains("`\(kind.rawValue)`")) }
    for kind in ResourceID.Kind.allCases { #expect(text.contains("`\(kind.rawValue)`")) }
    for name in CheckResult.Name.allCases { #expect(text.contains("| `\(name.rawValue)` |")) }
    for name in CheckResult.State.names { #expect(text.contains("`\(name)`")) }
  }

  @Test func `the tables of settings are those of the code, in its order`() throws {
    func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    let all = KnownSettings.all
    let contract = all.map { setting in
      row([
        "`\(setting.key)`", setting.flag.map { "`\($0)`" } ?? "–", "`\(setting.variable)`", setting.fallback,
        setting.meaning,
      ])
    }
    #expect(try Fixture.text("Documentation/command.md").contains(contract.joined(separator: "\n") + "\n\n"))
    let readme = all.map { setting in
      row([
        "`\(setting.key)`", setting.flag.map { "`\($0)`" } ?? "–", "`\(setting.variable)`", setting.fallback,
      ])
    }
    #expect(try Fixture.text("README.md").contains(readme.joined(separator: "\n") + "\n\n"))
  }

  @Test func `the configuration file in Documentation/command.md holds every setting, and is one`()
    async throws
  {
    let blocks = try Fixture.text("Documentation/command.md").split(separator: "```json\n").dropFirst()
    let json = try #require(blocks.first?.split(separator: "```").first)
    try await withDesk { desk in
      let file = desk.folder.appending(path: "config.json").path
      try Data(json.utf8).write(to: URL(filePath: file))
      for effective in try settings("--config", file, environment: [:]).effective {
        #expect(effective.origin == .file(file), "\(effective.setting.key)")
      }
    }
  }

  @Test func `Documentation/command.md names no option that does not exist`() throws {
    let text = try Fixture.text("Documentation/command.md")
    let ofParser = ["--version", "--help", "--generate-completion-script"]
    let ofSystemdRun = ["--pipe", "--wait"]
    let known = Set(Self.options.values.joined() + Self.globalOptions + ofParser + ofSystemdRun)
    let named = text.matches(of: /--[a-z][a-z-]+/).map { String($0.output) }
    #expect(!named.isEmpty)
    for option in named { #expect(known.contains(option)) }
  }

  @Test func `the exit statuses are the contract's`() {
    #expect(CommandStatus.meanings.map(\.status.rawValue) == [0, 64, 66, 69, 70, 74, 75, 77, 78])
  }
}

@Suite struct `When a failure becomes an exit status` {
  @Test(
    arguments: [
      (.notStored, nil, .notStored), (.tooOld, nil, .notStored), (.tooOld, "transport", .unavailable),
      (.keyMissing, nil, .configuration), (.keyRefused, "320010", .keyRefused),
      (.quota, "320011", .unavailable),
      (.offline, nil, .unavailable), (.transport, "connectionRefused", .unavailable),
      (.timeout, nil, .unavailable),
      (.status, "503", .unavailable), (.fault, "320102", .unavailable),
      (.fault, CatalogFailure.unknownMovieDetail, .notStored),
      (.fault, CatalogFailure.unknownPersonDetail, .notStored),
      (.fault, CatalogFailure.unknownCompanyDetail, .notStored),
      (.transport, "notRecorded", .notStored), (.undecodable, "markup", .unavailable),
      (.implausible, "emptied", .unavailable), (.tooLarge, nil, .unavailable),
      (.breakerOpen, nil, .unavailable),
    ] as [(CatalogFailure.Code, String?, CommandStatus)])
  func `a read that has no answer says why`(code: CatalogFailure.Code, detail: String?, status: CommandStatus)
  {
    #expect(CommandStatus(CatalogFailure(code, "…", detail: detail)) == status)
  }

  @Test(
    arguments: [
      (3, 0, nil, .done), (0, 0, nil, .done), (2, 1, nil, .stoppedEarly), (0, 3, nil, .unavailable),
      (2, 0, .budget, .stoppedEarly), (0, 1, .quota, .stoppedEarly), (1, 0, .cancelled, .stoppedEarly),
      (0, 0, .anotherSync, .stoppedEarly), (3, 0, .anotherSync, .stoppedEarly),
      (0, 8, .upstreamUnavailable, .unavailable), (1, 8, .upstreamUnavailable, .stoppedEarly),
      (5, 1, .keyRefused, .keyRefused), (0, 1, .keyMissing, .configuration), (5, 0, .storage, .storage),
    ] as [(Int, Int, SyncReport.StopReason?, CommandStatus)])
  func `a sync says how far it came`(
    succeededCount: Int, failedCount: Int, reason: SyncReport.StopReason?, status: CommandStatus
  ) {
    var report = SyncReport(startedAt: Timestamp(millisecondsSinceEpoch: 0))
    report.unchangedCount = succeededCount
    report.failedCount = failedCount
    report.stoppedBecause = reason
    #expect(CommandStatus(report) == status)
  }

  @Test func `an error that nobody expected is a bug of ours, told without its text`() {
    struct Unexpected: Error { let secret = "a-test-key-of-no-use" }
    let errors = CapturedOutput()
    let runner = CommandRunner(
      Surroundings(
        environment: [:], clock: SystemClock(), standardOutput: CapturedOutput(), standardError: errors))
    #expect(runner.status(of: Unexpected()) == .software)
    #expect(errors.lines == ["matinee: a bug in matinee: an error of type Unexpected that nobody expected"])
  }
}
