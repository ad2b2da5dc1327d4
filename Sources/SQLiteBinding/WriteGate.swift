internal import Glibc

/// One exclusive lock around every write and every checkpoint of a database, over all processes.
///
/// The idea: SQLite alone needs no such thing, but SQLite 3.7.0 to 3.51.2 can lose a commit and corrupt the
/// file when a checkpoint in one process resets the log while a writer in another appends to it
/// (https://sqlite.org/wal.html, "the WAL-reset bug"). Where a write and a checkpoint never overlap, the race
/// cannot happen. So each takes an exclusive `flock` on a side file, `<database>-gate`, first. The gate also
/// makes writers queue, where SQLite has the loser of a race fail busy.
///
/// What holds the gate is an open file description: the kernel lets go of it when the process dies, however
/// it dies. The side file holds a ``GateNote`` at most, is never deleted (a second process could lock the deleted
/// one), and is not the database itself, whose locks would be dropped when a descriptor of it is closed.
///
/// A foreign tool that writes knows nothing of the gate; SQLite's own locks are between it and this library.
struct WriteGate: Sendable {
  /// The side file.
  let path: String
  /// The database, for errors.
  let databasePath: String

  /// Waits between two looks at a gate that is held, from the first to the longest.
  ///
  /// A blocking `flock` would be fairer but cannot be given up at a deadline or a cancellation.
  private static let pollIntervalMin: Duration = .microseconds(200)
  private static let pollIntervalMax: Duration = .milliseconds(5)

  /// Whether an open descriptor is of the file that is at a path now.
  private let isAtPath: @Sendable (_ descriptor: Int32, _ path: String) -> Bool

  init(
    file: DatabaseFile,
    isAtPath: @escaping @Sendable (_ descriptor: Int32, _ path: String) -> Bool = Self.isAtPath
  ) {
    path = file.gatePath
    databasePath = file.path
    self.isAtPath = isAtPath
  }

  /// Runs `body` with the gate held. Blocks the thread, so never call it on the cooperative pool.
  ///
  /// - Parameters:
  ///   - deadline: When waiting ends. The gate is tried once, whatever the deadline.
  ///   - isCancelled: Asked between tries.
  /// - Throws: `busy` at the deadline, `interrupted` when cancelled, `cannotOpen` when the side file cannot
  ///   be used; or what `body` throws.
  func withLock<Result, Failure: SQLiteErrorConvertible>(
    until deadline: ContinuousClock.Instant, isCancelled: () -> Bool,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let descriptor: Int32
    do throws(SQLiteError) {
      descriptor = try acquire(until: deadline, isCancelled: isCancelled)
    } catch {
      throw Failure(error)
    }
    defer { Self.release(descriptor) }
    return try body()
  }

  private func acquire(until deadline: ContinuousClock.Instant, isCancelled: () -> Bool)
    throws(SQLiteError) -> Int32
  {
    var interval = Self.pollIntervalMin
    while true {
      let descriptor = try Self.openSideFile(at: path, databasePath: databasePath)
      do throws(SQLiteError) {
        while try !tryLock(descriptor) {
          try pause(
            interval, until: deadline, isCancelled: isCancelled, because: "another writer has held it")
          interval = min(interval * 2, Self.pollIntervalMax)
        }
        // Someone may have deleted the side file in the meantime; a lock on the deleted one excludes nobody.
        if isAtPath(descriptor, path) { return descriptor }
        // Whoever deletes it in a loop must not keep this thread for ever.
        try pause(
          interval, until: deadline, isCancelled: isCancelled, because: "it was replaced again and again")
        interval = min(interval * 2, Self.pollIntervalMax)
      } catch {
        Self.release(descriptor)
        throw error
      }
      Self.release(descriptor)
    }
  }

  /// Closes the side file, and lets go of its lock if it was had.
  private static func release(_ descriptor: Int32) {
    // Closing alone would leave the lock with a child that is between fork and exec.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Sleeps between two tries.
  ///
  /// - Throws: `interrupted` or `busy` when there is to be no other try.
  private func pause(
    _ interval: Duration, until deadline: ContinuousClock.Instant, isCancelled: () -> Bool,
    because reason: String
  ) throws(SQLiteError) {
    if isCancelled() {
      throw SQLiteError(
        code: .interrupted, message: "cancelled while waiting for the write gate",
        path: databasePath)
    }
    guard ContinuousClock.now < deadline else {
      throw SQLiteError(
        code: .busy,
        message: "the write gate \(path) could not be had until the wait for it was over: \(reason)",
        path: databasePath)
    }
    Self.sleep(interval)
  }

  /// - Returns: Whether the lock was had.
  private func tryLock(_ descriptor: Int32) throws(SQLiteError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return false
      default:
        throw SQLiteError(
          code: .cannotOpen, message: "cannot lock the write gate \(path): \(SystemError.latest)",
          path: databasePath)
      }
    }
    return true
  }

  static func isAtPath(_ descriptor: Int32, _ path: String) -> Bool {
    var held = stat()
    var named = stat()
    return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0
      && held.st_ino == named.st_ino && held.st_dev == named.st_dev
  }

  /// Leaves the gate alone for so long that whoever waits for it looks at it.
  static func rest() { sleep(pollIntervalMax * 2) }

  private static func sleep(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&time, nil)
  }
}

extension WriteGate {
  /// Makes sure the side file exists, readable and writable by its owner alone.
  ///
  /// - Throws: `cannotOpen`, with the system's reason.
  static func createSideFile(at path: String, databasePath: String) throws(SQLiteError) {
    close(try openSideFile(at: path, databasePath: databasePath))
  }

  private static func openSideFile(at path: String, databasePath: String) throws(SQLiteError)
    -> Int32
  {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW
    var descriptor = open(path, flags)
    if descriptor < 0, errno == ENOENT {
      descriptor = open(path, flags | O_CREAT | O_EXCL, 0o600)
      if descriptor >= 0 {
        RootOwnership.hand(gate: descriptor, ofDatabase: databasePath)
      } else if errno == EEXIST {
        // Another process was first, and whose it is is its affair.
        descriptor = open(path, flags | O_CREAT, 0o600)
      }
    }
    guard descriptor >= 0 else {
      throw SQLiteError(
        code: .cannotOpen, message: "cannot open the write gate \(path): \(SystemError.latest)",
        path: databasePath)
    }
    return descriptor
  }
}
