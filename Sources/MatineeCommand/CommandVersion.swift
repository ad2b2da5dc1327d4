/// The version of the command and of everything it is built with.
package enum CommandVersion {
  /// The version by semver.org: the one place where it stands.
  package static let current = "0.1.0"

  /// The day of its release, by which the manual page is dated.
  static let releasedOn = "2026-11-21"
}
