package import Foundation
import Glibc

/// A program as a process of its own, with pipes to its outputs and nothing on its input.
///
/// On `posix_spawn`, not on Foundation's `Process`: with Swift 6.3.1 on Linux several of those started at once crash
/// now and then in `Process.run()`.
package final class SpawnedProcess: Sendable {
  /// The process's number.
  package let id: Int32
  private let output: FileHandle
  private let errors: FileHandle
  private let ending: ProcessEnding
  private static let starting = NSLock()

  /// Starts a program.
  ///
  /// - Throws: `POSIXError` if the program cannot be started.
  package init(_ program: String, _ arguments: [String], environment: [String: String]) throws {
    // A pipe's ends are inherited until they are marked; another child started in between would keep them open.
    Self.starting.lock()
    defer { Self.starting.unlock() }
    let (outputRead, outputWrite) = try Self.makePipe()
    let (errorsRead, errorsWrite) = try Self.makePipe()
    output = FileHandle(fileDescriptor: outputRead, closeOnDealloc: true)
    errors = FileHandle(fileDescriptor: errorsRead, closeOnDealloc: true)
    defer {
      close(outputWrite)
      close(errorsWrite)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, outputWrite, 1)
    posix_spawn_file_actions_adddup2(&actions, errorsWrite, 2)
    // A child that inherited another test's listening socket would keep it listening after its end.
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      guard let descriptor = Int32(name), descriptor > 2 else { continue }
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }

    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var settings = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + settings { free(word) } }
    var child = pid_t()
    let result = posix_spawn(&child, program, &actions, nil, &words, &settings)
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .EIO) }
    id = child
    ending = ProcessEnding(of: child)
  }

  /// Whether the process has ended.
  package var hasEnded: Bool { ending.hasEnded }

  /// Sends a signal, unless the process has ended.
  package func send(_ signal: Int32) { ending.send(signal) }

  /// Reads from stdout until `count` whole lines have come, or its end; what was read so far.
  package func readLines(count: Int) async -> String {
    await offPool {
      var bytes = Data()
      while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
        let more = self.output.availableData
        guard !more.isEmpty else { break }
        bytes += more
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Closes the reading end of stdout, as `head` does when it has enough.
  package func closeOutput() { try? output.close() }

  /// Reads both outputs to their ends and waits for the process to end.
  ///
  /// - Returns: The exit status, or the number of the signal that ended it; the bytes of stdout; the text of stderr.
  package func finish(readsOutput: Bool = true) async -> (status: Int32, output: Data, errors: String) {
    async let rest = offPool { readsOutput ? self.output.readDataToEndOfFile() : Data() }
    let complaints = await offPool { self.errors.readDataToEndOfFile() }
    let bytes = await rest
    let status = await offPool { self.ending.wait() }
    return (status, bytes, String(decoding: complaints, as: UTF8.self))
  }

  /// A pipe that no child inherits but by `dup2`.
  private static func makePipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Runs blocking work on a thread of its own.
  private func offPool<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: work()) }
    }
  }
}
