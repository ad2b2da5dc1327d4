internal import Dispatch

/// The thread of a database's writes, and who waits for it.
///
/// A write blocks: on the gate, on the disk. So it runs on a serial queue of its own and not on Swift's
/// cooperative threads, of which there are as many as cores. At most `pendingCountMax` are under way or
/// waiting; a wait ends early when the task is cancelled; work that has begun is never abandoned.
final class WriteQueue: Sendable {
  private let queue = DispatchQueue(label: "matinee.sqlite.write")
  private let pendingCountMax: Int
  private let path: String?
  private let state = Lock(State())

  private struct State {
    var pendingCount = 0
    var isClosed = false
  }

  init(pendingCountMax: Int, path: String?) {
    self.pendingCountMax = pendingCountMax
    self.path = path
  }

  /// Runs `work` after all that was submitted before it.
  ///
  /// - Parameter work: Is given a way to ask whether the task was cancelled, for its own waits.
  /// - Throws: `writeQueueFull`, `closed`, `interrupted` when cancelled before it began; or what `work` throws.
  func submit<Value: Sendable, Failure: SQLiteErrorConvertible>(
    _ work: @escaping @Sendable (_ isCancelled: () -> Bool) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let refusal: SQLiteError? = state.withLock { state in
      if state.isClosed { return .closed(path: path) }
      guard state.pendingCount < pendingCountMax else {
        return SQLiteError(
          code: .writeQueueFull, message: "\(pendingCountMax) writes are waiting already", path: path)
      }
      state.pendingCount += 1
      return nil
    }
    if let refusal { throw Failure(refusal) }
    return try await run(work)
  }

  /// Refuses what waits, and what is submitted from now on.
  func refuse() {
    state.withLock { $0.isClosed = true }
  }

  /// Runs `work` as the last, after ``refuse()``.
  func finish(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      queue.async {
        work()
        continuation.resume()
      }
    }
  }

  private func end() {
    state.withLock { $0.pendingCount -= 1 }
  }

  private func run<Value: Sendable, Failure: SQLiteErrorConvertible>(
    _ work: @escaping @Sendable (_ isCancelled: () -> Bool) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let request = WriteRequest<Value, Failure>(path: path)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        request.wait(with: continuation)
        queue.async { [self] in
          let hasRun = request.run { () throws(Failure) in
            // Before the caller goes on, who may submit the next at once.
            defer { end() }
            if state.withLock({ $0.isClosed }) { throw Failure(.closed(path: path)) }
            return try work { request.isCancelled }
          }
          if !hasRun { end() }
        }
      }
    } onCancel: {
      request.cancel()
    }
    return try result.get()
  }
}

/// One submitted piece of work: it waits, runs and ends, and is resumed exactly once.
private final class WriteRequest<Value: Sendable, Failure: SQLiteErrorConvertible>: Sendable {
  typealias Outcome = Result<Value, Failure>

  private struct State {
    var continuation: CheckedContinuation<Outcome, Never>?
    var isRunning = false
    var isCancelled = false
  }

  private let path: String?
  private let state = Lock(State())

  init(path: String?) {
    self.path = path
  }

  var isCancelled: Bool {
    state.withLock { $0.isCancelled }
  }

  func wait(with continuation: CheckedContinuation<Outcome, Never>) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.continuation = continuation }
      return state.isCancelled
    }
    if isCancelled { continuation.resume(returning: cancelled) }
  }

  /// - Returns: False when it was cancelled before.
  func run(_ work: () throws(Failure) -> Value) -> Bool {
    let isDue = state.withLock { state in
      state.isRunning = state.continuation != nil
      return state.isRunning
    }
    guard isDue else { return false }
    let outcome: Outcome
    do throws(Failure) {
      outcome = .success(try work())
    } catch {
      outcome = .failure(error)
    }
    takeContinuation()?.resume(returning: outcome)
    return true
  }

  func cancel() {
    let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      state.isCancelled = true
      guard !state.isRunning else { return nil }
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: cancelled)
  }

  private func takeContinuation() -> CheckedContinuation<Outcome, Never>? {
    state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
  }

  private var cancelled: Outcome {
    .failure(
      Failure(
        SQLiteError(code: .interrupted, message: "cancelled while waiting to write", path: path)))
  }
}
