internal import Dispatch

/// Connections of one database, lent to one thread each.
///
/// The idea: a read is synchronous and short, so a thread that finds every connection in use waits for one,
/// in order of arrival, at most `waitMax`. Connections are opened when they are first needed, at most
/// `countMax`, and kept until ``close()``. The pool owns them; the lock guards who has which, and is never
/// held while a connection is used, opened or closed.
package final class ConnectionPool: Sendable {
  private let countMax: Int
  private let waitMax: Duration
  private let path: String?
  /// Nil when the one connection there is holds the data itself.
  private let open: (@Sendable () throws(SQLiteError) -> Connection)?
  private let state = Lock(State())

  private struct State {
    var idle: [Slot] = []
    /// Connections that exist: idle, lent, or being opened.
    var count = 0
    var waiting: [Waiter] = []
    /// Why nothing is lent any more.
    var refusal: SQLiteError?
    var whenEmpty: [CheckedContinuation<Void, Never>] = []
  }

  // @unchecked: used by one thread at a time, to which the pool's lock `state` handed it.
  package struct Slot: @unchecked Sendable {
    package let connection: Connection
  }

  private enum Grant: Sendable {
    case connection(Slot)
    case opening
    case refusal(SQLiteError)
  }

  private enum Decision {
    case grant(Grant)
    case wait(Waiter)
  }

  /// One thread that waits for a connection.
  private final class Waiter: Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    private let grant = Lock<Grant?>(nil)

    func give(_ value: Grant) {
      grant.withLock { $0 = value }
      semaphore.signal()
    }

    func take() -> Grant? {
      grant.withLock { $0 }
    }
  }

  /// - Parameter open: Called on the thread that needs the connection.
  init(
    countMax: Int, waitMax: Duration, path: String?,
    open: @escaping @Sendable () throws(SQLiteError) -> Connection
  ) {
    precondition(countMax >= 1)
    self.countMax = countMax
    self.waitMax = waitMax
    self.path = path
    self.open = open
  }

  /// A pool of one connection that exists already and cannot be replaced: a database in memory.
  init(only connection: sending Connection, waitMax: Duration) {
    countMax = 1
    self.waitMax = waitMax
    path = nil
    open = nil
    let slot = Slot(connection: connection)
    state.withLock { state in
      state.idle = [slot]
      state.count = 1
    }
  }

  /// Lends a connection for the time of `body`.
  ///
  /// Not to be nested: enough threads that each hold one and want another wait for nobody until `waitMax`.
  ///
  /// - Throws: `busy` when none was free in time, `closed`, or why one could not be opened.
  @inlinable
  package func withConnection<Result, Failure: SQLiteErrorConvertible>(
    _ body: (Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var slot: Slot?
    let connection: Connection
    do throws(SQLiteError) {
      let taken = try take()
      slot = taken
      connection = taken.connection
    } catch {
      throw Failure(error)
    }
    defer { putBack(&slot) }
    return try body(connection)
  }

  /// Closes every connection: the idle ones now, those in use as they come back, and returns after the last.
  func close() async {
    let idle = refuse(because: .closed(path: path))
    for slot in idle { slot.connection.close() }
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if state.count > 0 { state.whenEmpty.append(continuation) }
        return state.count == 0
      }
      if isEmpty { continuation.resume() }
    }
  }

  /// Lends nothing from now on.
  ///
  /// - Returns: The idle connections, which the pool no longer has.
  private func refuse(because error: SQLiteError) -> [Slot] {
    state.withLock { state in
      state.refusal = state.refusal ?? error
      for waiter in state.waiting { waiter.give(.refusal(error)) }
      state.waiting = []
      defer {
        state.count -= state.idle.count
        state.idle = []
      }
      return state.idle
    }
  }

  /// Takes a connection out of the pool, for ``withConnection(_:)`` alone.
  package func take() throws(SQLiteError) -> Slot {
    let decision: Decision = state.withLock { state in
      if let refusal = state.refusal { return .grant(.refusal(refusal)) }
      if let slot = state.idle.popLast() { return .grant(.connection(slot)) }
      if state.count < countMax {
        state.count += 1
        return .grant(.opening)
      }
      let waiter = Waiter()
      state.waiting.append(waiter)
      return .wait(waiter)
    }
    switch decision {
    case .grant(let grant): return try use(grant)
    case .wait(let waiter): return try use(try wait(waiter))
    }
  }

  private func use(_ grant: Grant) throws(SQLiteError) -> Slot {
    switch grant {
    case .connection(let slot): return slot
    case .refusal(let error): throw error
    case .opening:
      guard let open else { throw .closed(path: path) }
      do throws(SQLiteError) {
        return Slot(connection: try open())
      } catch {
        forget()
        throw error
      }
    }
  }

  private func wait(_ waiter: Waiter) throws(SQLiteError) -> Grant {
    let limit = DispatchTime.now() + .milliseconds(Int(clamping: waitMax.wholeMilliseconds))
    if waiter.semaphore.wait(timeout: limit) == .timedOut {
      state.withLock { state in
        state.waiting.removeAll { $0 === waiter }
      }
    }
    // Between the timeout and the removal a grant may have come; it counts.
    if let grant = waiter.take() { return grant }
    throw SQLiteError(
      code: .busy, message: "all \(countMax) connections were in use for \(waitMax)", path: path)
  }

  /// Ends what ``take()`` began.
  package func putBack(_ slot: inout Slot?) {
    guard let connection = slot?.connection else { return }
    // One that could not be rolled back would hold its snapshot for ever.
    let isUsable = !connection.isInTransaction
    // In memory what could not be rolled back would be read as if it were committed, and there is no other.
    if !isUsable, open == nil { _ = refuse(because: .notRolledBack(path: path)) }
    let isKept = state.withLock { state in
      guard isUsable, state.refusal == nil, let slot else { return false }
      if state.waiting.isEmpty {
        state.idle.append(slot)
      } else {
        // Inside the lock, so that a wait that ends now finds either its grant or its place in the line.
        state.waiting.removeFirst().give(.connection(slot))
      }
      return true
    }
    slot = nil
    if !isKept {
      connection.close()
      forget()
    }
  }

  /// Counts one connection less, and lets who waits open another or, once closed, go on.
  private func forget() {
    let whenEmpty = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      if !state.waiting.isEmpty {
        state.waiting.removeFirst().give(.opening)
        return []
      }
      state.count -= 1
      guard state.refusal != nil, state.count == 0 else { return [] }
      defer { state.whenEmpty = [] }
      return state.whenEmpty
    }
    for continuation in whenEmpty { continuation.resume() }
  }
}

extension SQLiteError {
  static func closed(path: String?) -> SQLiteError {
    SQLiteError(code: .closed, message: "the database was closed", path: path)
  }
}
