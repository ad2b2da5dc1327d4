import CatalogEngine
import KOBIS

/// What a setting takes: how its value is read from text, and spelled again.
///
/// All places spell values as text, a configuration file's numbers and lists among them, so that there is one reading.
struct SettingForm<Value: Sendable>: Sendable {
  /// How JSON spells the value.
  var shape: SettingShape
  /// What is taken, in a few words.
  var expectation: String
  /// Reads a value.
  var parse: @Sendable (String) throws(SettingRefusal) -> Value
  /// Spells a value as ``parse`` reads it.
  var spell: @Sendable (Value) -> String
}

/// Why a text is no value of a setting; the reason repeats no text that might be a key in the wrong place.
struct SettingRefusal: Error, Hashable {
  var reason: String
}

extension SettingForm<Int> {
  /// A whole number within `range`.
  static func wholeNumber(_ range: ClosedRange<Int>) -> SettingForm {
    let expectation = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return SettingForm(shape: .number, expectation: expectation) { text throws(SettingRefusal) in
      let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
      guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw SettingRefusal(reason: "that is not \(expectation)")
      }
      guard let number = Int(text), range.contains(number) else {
        throw SettingRefusal(reason: "\(text.truncated(toWidth: 20)) is not \(expectation)")
      }
      return number
    } spell: {
      String($0)
    }
  }
}

extension SettingForm<Duration> {
  /// A duration within `range`, as `90s`, `15m`, `1h` or `7d`.
  static func duration(_ range: ClosedRange<Duration>) -> SettingForm {
    let expectation =
      "a duration from \(range.lowerBound.spelled) to \(range.upperBound.spelled), such as 90s"
    return SettingForm(shape: .text, expectation: expectation) { text throws(SettingRefusal) in
      guard let duration = try? Duration.parsed(text), range.contains(duration) else {
        throw SettingRefusal(reason: "that is not \(expectation)")
      }
      return duration
    } spell: {
      $0.spelled
    }
  }
}

extension SettingForm<String> {
  /// A file's path.
  static var path: SettingForm {
    SettingForm(shape: .path, expectation: "a path") { text throws(SettingRefusal) in
      guard !text.isEmpty else { throw SettingRefusal(reason: "it names no file") }
      // The system takes a path up to the first of them, and would open another file.
      guard !text.utf8.contains(0) else { throw SettingRefusal(reason: "a path has no character NUL") }
      return text
    } spell: {
      $0
    }
  }
}

extension SettingForm<UpstreamSetting> {
  /// An upstream's address, or `recorded`.
  static var upstream: SettingForm {
    SettingForm(
      shape: .text, expectation: "an address or `recorded`", parse: UpstreamSetting.parsed, spell: \.spelled)
  }
}

extension SettingForm<LogLevelSetting> {
  /// A level's name.
  static var logLevel: SettingForm {
    SettingForm(
      shape: .text, expectation: "a level", parse: LogLevelSetting.parsed, spell: \.rawValue)
  }
}

extension SettingForm<Set<SyncRequest.Stream>> {
  /// Names of streams.
  static var streams: SettingForm {
    SettingForm(shape: .list, expectation: "a list of streams") { text throws(SettingRefusal) in
      do { return try Set<SyncRequest.Stream>.parsed(text) } catch {
        throw SettingRefusal(reason: "\(error)")
      }
    } spell: { streams in
      let unfiltered = SyncRequest.Stream.unfiltered.filter(streams.contains).map(\.name)
      let filtered = streams.subtracting(SyncRequest.Stream.unfiltered).map(\.name).sorted()
      return (unfiltered + filtered).joined(separator: ",")
    }
  }
}

extension Duration {
  /// The duration as ``parsed(_:)`` reads it, in the largest unit that spells it whole; fractions of a second are
  /// cut off.
  var spelled: String {
    let seconds = wholeSeconds
    for (unit, length) in [("d", Int64(86_400)), ("h", 3600), ("m", 60)]
    where seconds != 0 && seconds.isMultiple(of: length) {
      return "\(seconds / length)\(unit)"
    }
    return "\(seconds)s"
  }
}
