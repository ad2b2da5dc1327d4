import CatalogEngine
import Foundation
import HTTPSessionTesting
import HTTPTransport
import MatineeCommand
import MatineeTesting
import Testing

/// A place to run the command in this process: a folder, a clock, an environment, and a session if one is wanted.
struct Desk {
  let folder: URL
  let clock: ManualClock
  var environment: [String: String]
  var session: (any HTTPSession)?
  /// Between which instants the clock can be believed by a sync; the desk's is always.
  var plausibleTimes: Range<Timestamp>?
  /// Without retries: the desk's clock stands still, and would be waited for.
  var configuration = CatalogConfiguration(syncRetry: .none)
  /// What every folder lies on: a local disk with room, whatever the tests' own is.
  var volume = Volume(fileSystem: "ext4", freeByteCount: 10 << 30)
  var output = CapturedOutput()
  var errorTerminal: Terminal?
  var outputTerminal: Terminal?
  var interruptions: @Sendable () -> AsyncStream<Interruption> = { AsyncStream { $0.finish() } }

  /// What a run came to.
  struct Outcome {
    var status: Int32
    var output: String
    var errors: String
  }

  /// The database's file.
  var database: URL { folder.appending(path: "matinee.db") }

  /// Runs the command.
  func run(_ arguments: String...) async -> Outcome { await run(arguments) }

  func run(_ arguments: [String]) async -> Outcome {
    let output = output
    let errors = CapturedOutput()
    let earlier = output.text.utf8.count
    let runner = CommandRunner(
      Surroundings(
        environment: environment, clock: clock, plausibleTimes: plausibleTimes, session: session,
        configuration: configuration, volume: { [volume] _ in volume }, standardOutput: output,
        standardError: errors,
        outputTerminal: outputTerminal, errorTerminal: errorTerminal,
        interruptions: interruptions))
    let status = await runner.run(arguments)
    let told = String(decoding: Array(output.text.utf8.dropFirst(earlier)), as: UTF8.self)
    return Outcome(status: status, output: told, errors: errors.text)
  }
}

/// The day on which tests take place unless they say otherwise: the day after the recorded week's last one.
let dayAfterTheWeek = CalendarDay(daysSinceEpoch: 18_092)

/// Runs `body` at a desk in a folder of its own, which is removed in the end.
///
/// The desk has a key, a database and the noon of ``dayAfterTheWeek`` in Korea.
func withDesk<Result>(
  session: (any HTTPSession)? = nil, _ body: (inout Desk) async throws -> Result
) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "matinee-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  var desk = Desk(
    folder: folder, clock: ManualClock(inKorea: dayAfterTheWeek),
    environment: [
      "MATINEE_DATABASE": folder.appending(path: "matinee.db").path, "HOME": folder.path,
      "KOBIS_API_KEY": "a-test-key-of-no-use",
    ],
    session: session)
  return try await body(&desk)
}

/// A JSON object out of the command's output.
func object(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
  let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
  return try #require(value as? [String: Any], sourceLocation: sourceLocation)
}

/// The names of a JSON text's members in the order they stand, with their depth: `day`, `entries`, ` rank` …
///
/// Only the first element of each array is looked into.
func memberNames(_ text: String) -> [String] {
  var names: [String] = []
  var arrayDepths: [(depth: Int, elementCount: Int)] = []
  var depth = 0
  var rest = Substring(text)
  while let character = rest.first {
    rest = rest.dropFirst()
    switch character {
    case "{": depth += 1
    case "}": depth -= 1
    case "[": arrayDepths.append((depth, 0))
    case "]": arrayDepths.removeLast()
    case ",":
      if let last = arrayDepths.last, last.depth == depth {
        arrayDepths[arrayDepths.count - 1].elementCount += 1
      }
    case "\"":
      var literal = ""
      while let next = rest.first, next != "\"" {
        rest = rest.dropFirst()
        if next == "\\" {
          rest = rest.dropFirst()
          continue
        }
        literal.append(next)
      }
      rest = rest.dropFirst()
      let isName = rest.first == ":"
      if isName && arrayDepths.allSatisfy({ $0.elementCount == 0 }) {
        names.append(String(repeating: " ", count: depth - 1) + literal)
      }
    default: break
    }
  }
  return names
}
