/// What one check came to.
struct CheckResult: Hashable, Sendable {
  /// The checks, in the order in which they are made and told.
  enum Name: String, CaseIterable, Sendable {
    case configurationFile, settings, apiKey
    case clock, zone
    case sqlite
    case folder, fileSystem, space
    case database, schema, integrity, writeAheadLog, gate
    case quota, breaker, lastSync, setAside
    case upstream
  }

  /// How what was found is to be taken.
  enum State: Hashable, Sendable {
    case ok
    /// It works, and may not for long.
    case warning
    /// It does not work: a subcommand that comes across it ends with the status.
    case problem(ExitStatus)
    /// It was not looked at.
    case skipped

    /// The state's stable name.
    var name: String {
      switch self {
      case .ok: "ok"
      case .warning: "warning"
      case .problem: "problem"
      case .skipped: "skipped"
      }
    }

    /// Every name there is.
    static let names = [State.ok, .warning, .problem(.software), .skipped].map(\.name)
  }

  var name: Name
  var state: State
  /// What was found, in a sentence that names path and figure; it never holds a key.
  var found: String
  /// What to do, with the command to type; `nil` where nothing is to be done.
  var remedy: String?

  static func ok(_ name: Name, _ found: String) -> CheckResult {
    CheckResult(name: name, state: .ok, found: found)
  }

  static func warning(_ name: Name, _ found: String, remedy: String) -> CheckResult {
    CheckResult(name: name, state: .warning, found: found, remedy: remedy)
  }

  static func problem(
    _ name: Name, _ found: String, remedy: String, status: ExitStatus
  ) -> CheckResult {
    CheckResult(name: name, state: .problem(status), found: found, remedy: remedy)
  }

  static func skipped(_ name: Name, _ found: String, remedy: String? = nil) -> CheckResult {
    CheckResult(name: name, state: .skipped, found: found, remedy: remedy)
  }

  /// Whether something does not work.
  var isProblem: Bool {
    if case .problem = state { true } else { false }
  }
}

/// What all checks came to.
struct CheckReport: Hashable, Sendable {
  var results: [CheckResult]

  var problemCount: Int { results.count(where: \.isProblem) }
  var warningCount: Int { results.count { $0.state == .warning } }

  /// The statuses of problems, in the order in which they are to be put right: with wrong settings another database is
  /// looked at, without a database no call can be entered, and with a wrong key no answer is to be had.
  static let statuses: [ExitStatus] = [.configuration, .storage, .keyRefused, .unavailable]

  /// What the command exits with: of the problems' statuses the first of ``statuses``, which warnings never are.
  var status: ExitStatus {
    let statuses = results.compactMap { result -> ExitStatus? in
      if case .problem(let status) = result.state { status } else { nil }
    }
    return Self.statuses.first(where: statuses.contains) ?? statuses.first ?? .done
  }
}
