extension CalendarDay {
  /// Reads `YYYY-MM-DD` or `YYYYMMDD`; `nil` for anything else and for a date that does not exist.
  public init?(_ text: some StringProtocol) {
    guard
      let day = text.utf8.withContiguousStorageIfAvailable({ Self(digits: $0) })
        ?? Self(digits: Array(text.utf8))
    else { return nil }
    self = day
  }

  /// Reads `YYYY-MM-DD` or `YYYYMMDD` from its ASCII bytes.
  public init?(digits bytes: some Collection<UInt8>) {
    let dashed = bytes.count == 10
    guard dashed || bytes.count == 8 else { return nil }
    var number = 0
    for (index, byte) in bytes.enumerated() {
      if dashed && (index == 4 || index == 7) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    self.init(number: number)
  }

  /// Reads the number `YYYYMMDD`, as 20220105; `nil` if there is no such date.
  public init?(number: Int) {
    self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
  }

  /// The number `YYYYMMDD`, as 20220105.
  public var number: Int {
    let (year, month, day) = components
    return year * 10_000 + month * 100 + day
  }

  /// The basic form `YYYYMMDD`, which the upstream's parameters take.
  public var basicFormat: String {
    let digits = String(number)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }
}

extension CalendarDay: CustomStringConvertible {
  /// The extended form `YYYY-MM-DD` of ISO 8601.
  public var description: String {
    let digits = basicFormat
    return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
  }
}
