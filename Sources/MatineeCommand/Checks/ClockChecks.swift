import CatalogEngine
import Glibc

/// Whether the clock can be believed, and in which zone it is told.
enum ClockChecks {
  /// Whether a sync would believe the clock.
  ///
  /// - Parameters:
  ///   - doubt: Why it would not; `nil` if it would.
  ///   - isLive: Whether the upstream's days depend on it: samples need no clock.
  static func clock(at now: Timestamp, doubt: ClockRule.Doubt?, isLive: Bool) -> CheckResult {
    guard let doubt else { return .ok(.clock, "it says \(now), which can be") }
    let found = "it says \(now), which is \(doubt.reason)"
    let remedy =
      "set it: `timedatectl set-ntp true` where there is systemd; if it is right, `matinee sync "
      + "--trust-clock`"
    guard isLive else { return .warning(.clock, found, remedy: remedy) }
    return .problem(.clock, found + "; a sync is refused by it", remedy: remedy, status: .configuration)
  }

  /// The machine's zone, which decides nothing.
  static func zone(_ zone: Zone, at now: Timestamp) -> CheckResult {
    .ok(
      .zone,
      "this machine's zone is \(zone.name) (\(zone.origin)); days are always Korea's, where it is "
        + now.shownInKorea)
  }

  /// A machine's zone, and who says so.
  struct Zone: Hashable, Sendable {
    var name: String
    var origin: String

    init(name: String, origin: String) {
      self.name = name
      self.origin = origin
    }

    /// As the C library finds it: `TZ`, else what `/etc/localtime` is a link to, else UTC.
    init(environment: [String: String], localTime: String = "/etc/localtime") {
      if let name = environment["TZ"] {
        self.init(name: name.isEmpty ? "UTC" : name, origin: "TZ")
      } else if let target = realpath(localTime, nil) {
        defer { free(target) }
        let path = String(cString: target)
        let name = path.split(separator: "/zoneinfo/", maxSplits: 1).last.map(String.init)
        self.init(name: path.contains("/zoneinfo/") ? name ?? path : path, origin: localTime)
      } else {
        self.init(name: "UTC", origin: "there is no \(localTime)")
      }
    }
  }
}
