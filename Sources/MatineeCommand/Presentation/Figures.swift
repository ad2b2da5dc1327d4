import CatalogEngine

// Figures as a person reads them.

extension BinaryInteger {
  /// The number with a comma between thousands, as `4,764,168`.
  var grouped: String {
    let digits = String(magnitude)
    var result = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index).isMultiple(of: 3) { result += "," }
      result.append(digit)
    }
    return result
  }
}

extension Percentage {
  /// One decimal and a percent sign, as `58.7%`; rounded half away from zero.
  var shown: String {
    let tenths = (thousandths.magnitude + 50) / 100
    return "\(thousandths < 0 && tenths > 0 ? "-" : "")\((tenths / 10).grouped).\(tenths % 10)%"
  }

  /// As ``shown``, with the sign of a change.
  var shownAsChange: String { thousandths > 0 ? "+" + shown : shown }
}

extension Duration {
  /// The duration as a person says it, in one or two units: `42 s`, `3 min`, `2 h 5 min`, `4 d`.
  var spoken: String {
    let seconds = max(wholeSeconds, 0)
    switch seconds {
    case 0: return "less than 1 s"
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min"
    case ..<86_400:
      let minutes = seconds % 3600 / 60
      return minutes == 0 ? "\(seconds / 3600) h" : "\(seconds / 3600) h \(minutes) min"
    default: return "\((seconds / 86_400).grouped) d"
    }
  }

  /// ``spoken`` and `ago`; `just now` for less than a second, and what a clock that was set back leads to.
  var ago: String {
    if wholeSeconds < 0 { return "\((.zero - self).spoken) in the future" }
    return wholeSeconds == 0 ? "just now" : "\(spoken) ago"
  }
}

extension Timestamp {
  /// The instant on Korean clocks, as `2019-07-16 00:00`, or `2019-07-16 00:00:30` within a minute; it names no zone.
  var shownInKorea: String {
    let day = CalendarDay(inKoreaAt: self)
    let seconds = duration(since: day.startInKorea).wholeSeconds
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
    let shown = seconds.isMultiple(of: 60) ? parts.dropLast() : parts[...]
    return "\(day) " + shown.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

extension CalendarDay.Weekday {
  /// The first three letters, as `Mon`.
  var abbreviation: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst().prefix(2) }
}

extension Int64 {
  /// A count of bytes in the largest unit that leaves at least one: `412 B`, `96.0 KiB`.
  var byteCountShown: String {
    // Wider than the number: some file systems say that they have room without end.
    var tenths = UInt128(self.magnitude) * 10
    for unit in ["B", "KiB", "MiB", "GiB"] {
      guard tenths >= 10_240, unit != "GiB" else {
        return unit == "B" ? "\(self) B" : "\(tenths / 10).\(tenths % 10) \(unit)"
      }
      tenths /= 1024
    }
    return "\(self) B"
  }
}
