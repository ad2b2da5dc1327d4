/// What the command tells its caller in one number; most are those of BSD's `sysexits.h`.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
  /// The number, 0 to 255.
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// Done; a stale answer is done, too.
  package static let done = ExitStatus(rawValue: 0)
  /// The arguments make no sense (`EX_USAGE`).
  package static let usage = ExitStatus(rawValue: 64)
  /// Nothing is stored for it, or the upstream knows no such code (`EX_NOINPUT`).
  package static let notStored = ExitStatus(rawValue: 66)
  /// The upstream cannot be had and nothing is cached (`EX_UNAVAILABLE`).
  package static let unavailable = ExitStatus(rawValue: 69)
  /// Our bug (`EX_SOFTWARE`).
  package static let software = ExitStatus(rawValue: 70)
  /// The database or another file failed (`EX_IOERR`).
  package static let storage = ExitStatus(rawValue: 74)
  /// Stopped early with progress saved; trying again later goes on (`EX_TEMPFAIL`).
  package static let stoppedEarly = ExitStatus(rawValue: 75)
  /// The upstream refused the key (`EX_NOPERM`).
  package static let keyRefused = ExitStatus(rawValue: 77)
  /// A setting is missing or wrong (`EX_CONFIG`).
  package static let configuration = ExitStatus(rawValue: 78)

  /// Every status there is, and what it means to a caller: the list that help and documentation print.
  package static let meanings: [(status: ExitStatus, meaning: String)] = [
    (.done, "done; a stale answer is done, and says so on stderr"),
    (.usage, "usage: the arguments make no sense"),
    (.notStored, "nothing is stored for it, or the code is unknown"),
    (.unavailable, "upstream unavailable, misbehaving or undecodable, and nothing cached"),
    (.software, "a bug in matinee"),
    (.storage, "storage: unreadable, foreign or newer database, or the disk"),
    (.stoppedEarly, "stopped early, progress saved: budget, quota, failure, signal, other sync"),
    (.keyRefused, "the upstream refused the API key"),
    (.configuration, "configuration, such as a sync without a key"),
  ]
}
