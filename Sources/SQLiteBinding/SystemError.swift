internal import Glibc

/// A failure of the operating system, by its number.
struct SystemError: Equatable, CustomStringConvertible {
  /// The value of `errno`.
  let number: Int32

  init(number: Int32) {
    self.number = number
  }

  /// The failure of the call just made on this thread.
  static var latest: SystemError {
    SystemError(number: errno)
  }

  /// The system's words for it, such as `Permission denied`.
  var description: String {
    // Long enough for glibc's longest text.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let base = buffer.baseAddress, strerror_r(number, base, buffer.count) == 0 else {
        return "system error \(number)"
      }
      return String(cString: base)
    }
  }
}
