import ArgumentParser
import CatalogEngine

/// Whom to ask, and how old what is stored may be: the options of every subcommand that reads one resource.
struct ReadingOptions: ParsableArguments {
  /// Whom to ask first, by the names that `--policy` takes.
  enum Policy: String, CaseIterable, ExpressibleByArgument {
    case cacheFirst = "cache-first"
    case networkFirst = "network-first"
    case cacheOnly = "cache-only"
    case networkOnly = "network-only"

    fileprivate var readPolicy: ReadPolicy {
      switch self {
      case .cacheFirst: .cacheFirst
      case .networkFirst: .networkFirst
      case .cacheOnly: .cacheOnly
      case .networkOnly: .networkOnly
      }
    }
  }

  @Option(
    name: .customLong("policy"), help: ArgumentHelp("Whom to ask first.", valueName: "policy"))
  var policyName: Policy?

  @Option(
    help: ArgumentHelp("The greatest age to accept, as 90s, 15m, 1h or 7d.", valueName: "duration"),
    transform: Duration.parsed)
  var maxAge: Duration?

  @Flag(help: "Ask the store alone, as '--policy cache-only' does.")
  var offline = false

  /// The policy that is meant.
  var policy: ReadPolicy { offline ? .cacheOnly : policyName?.readPolicy ?? .cacheFirst }

  func validate() throws {
    if offline, let policyName, policyName != .cacheOnly {
      throw ValidationError(
        "--offline is --policy cache-only, and contradicts --policy \(policyName.rawValue)")
    }
  }
}
