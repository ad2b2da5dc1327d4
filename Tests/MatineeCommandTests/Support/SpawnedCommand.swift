import Foundation
import SpawnedProcess

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
