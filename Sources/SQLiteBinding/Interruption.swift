internal import SystemSQLite

extension Connection {
  /// Virtual machine instructions between two looks at whether to go on: some tens of microseconds.
  private static var instructionCount: Int32 { 4_000 }

  /// Runs `body`, whose statements end as `interrupted` once `isCancelled` says so.
  ///
  /// https://sqlite.org/c3ref/progress_handler.html
  func interruptible<Result, Failure: Error>(
    when isCancelled: () -> Bool, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withoutActuallyEscaping(isCancelled) { isCancelled throws(Failure) in
      var question = isCancelled
      defer { sqlite3_progress_handler(handle, 0, nil, nil) }
      return try withUnsafeMutablePointer(to: &question) { question throws(Failure) in
        sqlite3_progress_handler(
          handle, Self.instructionCount,
          { context in
            let question = context?.assumingMemoryBound(to: (() -> Bool).self)
            return question?.pointee() == true ? 1 : 0
          }, question)
        return try body()
      }
    }
  }
}
