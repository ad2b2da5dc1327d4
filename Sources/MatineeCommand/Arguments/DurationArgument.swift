import ArgumentParser

extension Duration {
  /// The longest duration that an argument may name: a hundred years.
  static let argumentMax = Duration.seconds(36_525 * 86_400)

  /// Reads a whole number and a unit: `90s`, `15m`, `1h`, `7d`.
  static func parsed(_ text: String) throws -> Duration {
    let refusal = ValidationError("write a whole number and a unit, as 90s, 15m, 1h or 7d")
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }) else { throw refusal }
    let digits = text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { throw refusal }
    let seconds = Int64(digits)?.multipliedReportingOverflow(by: unit)
    guard let seconds, !seconds.overflow, .seconds(seconds.partialValue) <= argumentMax else {
      throw ValidationError("that is more than a hundred years")
    }
    return .seconds(seconds.partialValue)
  }
}
