import Foundation
import Synchronization

/// The built program as a process of its own.
final class SpawnedCommand: Sendable {
  /// The program, which the build puts beside the tests.
  static let program: URL = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: tests).deletingLastPathComponent().appending(path: "matinee")
  }()

  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()

  init(_ arguments: [String], environment: [String: String], program: URL = program) throws {
    process.executableURL = program
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  var id: Int32 { process.processIdentifier }

  func send(_ signal: Int32) { kill(id, signal) }

  /// Reads from stdout until `count` whole lines have come, or its end; what was read so far.
  func readLines(count: Int) async -> String {
    await offPool {
      var bytes = Data()
      while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
        let more = self.output.fileHandleForReading.availableData
        guard !more.isEmpty else { break }
        bytes += more
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Closes the reading end of stdout, as `head` does when it has enough.
  func closeOutput() { try? output.fileHandleForReading.close() }

  /// Reads both outputs to their ends and waits for the process to end.
  func finish(readsOutput: Bool = true) async -> (status: Int32, output: String, errors: String) {
    async let rest = offPool {
      readsOutput ? self.output.fileHandleForReading.readDataToEndOfFile() : Data()
    }
    let complaints = await offPool { self.errors.fileHandleForReading.readDataToEndOfFile() }
    let text = String(decoding: await rest, as: UTF8.self)
    await offPool { self.process.waitUntilExit() }
    return (process.terminationStatus, text, String(decoding: complaints, as: UTF8.self))
  }

  /// Runs blocking work on a thread of its own.
  private func offPool<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: work()) }
    }
  }
}
