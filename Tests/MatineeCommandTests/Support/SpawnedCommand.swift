import Foundation
import SpawnedProcess
import Testing

/// The built program as a process of its own.
struct SpawnedCommand: Sendable {
  /// The program, which the build puts beside the tests.
  static let program: URL = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: tests).deletingLastPathComponent().appending(path: "matinee")
  }()

  private let process: SpawnedProcess

  init(_ arguments: [String], environment: [String: String], program: URL = program) throws {
    process = try SpawnedProcess(program.path(percentEncoded: false), arguments, environment: environment)
  }

  var id: Int32 { process.id }

  func send(_ signal: Int32) { process.send(signal) }

  /// Sends a signal once the process is seen at work, or has ended.
  func send(_ signal: Int32, onceAtWork isAtWork: () throws -> Bool) async throws {
    while try !isAtWork(), !process.hasEnded { try await Task.sleep(for: .milliseconds(1)) }
    process.send(signal)
  }

  /// Reads from stdout until `count` whole lines have come, or its end; what was read so far.
  func readLines(count: Int) async -> String { await process.readLines(count: count) }

  /// Closes the reading end of stdout, as `head` does when it has enough.
  func closeOutput() { process.closeOutput() }

  /// Reads both outputs to their ends and waits for the process to end.
  func finish(readsOutput: Bool = true) async -> (status: Int32, output: String, errors: String) {
    let (status, output, errors) = await process.finish(readsOutput: readsOutput)
    return (status, String(decoding: output, as: UTF8.self), errors)
  }
}

/// Tries to catch a process at its work until that succeeds: where the machine is busy elsewhere, the work may be over
/// before the test gets to send its signal.
///
/// - Parameter attempt: Tells whether it was caught; what it makes does not outlive it.
func untilCaughtAtWork(_ attempt: () async throws -> Bool) async throws {
  for _ in 1...20 where try await attempt() { return }
  Issue.record("20 times the process had done its work before the signal came")
}
