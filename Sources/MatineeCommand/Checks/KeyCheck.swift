import Glibc
import KOBIS

/// Whether there is an API key that can be taken, and whether nobody else has it. Of the key itself nothing is told.
enum KeyCheck {
  /// What is known of the key's place.
  struct Facts: Hashable, Sendable {
    /// Whether the upstream wants a key at all.
    var isWanted: Bool
    /// Where the key is taken from; `nil` if no place has one.
    var place: APIKeySetting.Place?
    /// Why what is there is refused; `nil` if it is taken.
    var refusal: String?
    /// The file that holds it, and the folder that holds the file; `nil` where the key is in no file of a person's.
    var file: FilePresence?
    var folder: FilePresence?
    /// Whether a configuration file that might name the key's file was not read.
    var mayBeNamedElsewhere: Bool
    /// Whom this process acts for.
    var user: uid_t
  }

  static func result(_ facts: Facts) -> CheckResult {
    guard facts.isWanted else { return .ok(.apiKey, "none is needed: samples are within the program") }
    guard let place = facts.place else { return missing(facts) }
    if let path = place.namedPath, let file = facts.file?.facts, file.kind == .file {
      if file.isOpenToOthers {
        return .problem(
          .apiKey,
          "the key's file \(KeyFile.shown(path)) may be read by its group or by others (mode "
            + "\(file.modeShown)), and is refused",
          remedy: "`chmod 600 \(KeyFile.shown(path).shellWord)`, and ask kobis.or.kr for another key if "
            + "somebody may have read it",
          status: .configuration)
      }
    }
    if let refusal = facts.refusal { return refused(refusal, place) }
    if let warning = exposure(of: place, facts) { return warning }
    return .ok(.apiKey, "it is set, by \(place.described), and looks like one")
  }

  private static func missing(_ facts: Facts) -> CheckResult {
    guard !facts.mayBeNamedElsewhere else {
      return .skipped(
        .apiKey,
        "none is set in the environment, and the configuration file, which may name one's file, was not read")
    }
    return .problem(
      .apiKey, "none is set: what is stored is shown, and nothing is fetched",
      remedy: "set \(APIKeySetting.variable) to the key that kobis.or.kr issued, or "
        + "\(APIKeySetting.fileVariable) to a file of mode 0600 that holds it; samples need none: `matinee "
        + "sync --upstream recorded`",
      status: .configuration)
  }

  private static func refused(_ refusal: String, _ place: APIKeySetting.Place) -> CheckResult {
    let remedy: String
    if let path = place.namedPath, KeyFile.shown(path) == path {
      remedy =
        "put the key that kobis.or.kr issued, and nothing else, into \(path), as a file that you own, and "
        + "`chmod 600 \(path.shellWord)`"
    } else if place.namedPath != nil {
      remedy =
        "set \(APIKeySetting.fileVariable) to the path of a file that holds the key, or "
        + "\(APIKeySetting.variable) to the key itself"
    } else if case .credential = place {
      remedy =
        "put the key that kobis.or.kr issued, and nothing else, into the file that the unit's "
        + "LoadCredential= names, and `systemctl restart` the unit"
    } else {
      remedy = "set \(APIKeySetting.variable) to the key that kobis.or.kr issued, and to nothing else"
    }
    return .problem(.apiKey, refusal, remedy: remedy, status: .configuration)
  }

  /// What may let somebody else change or read the key's file later on.
  private static func exposure(of place: APIKeySetting.Place, _ facts: Facts) -> CheckResult? {
    guard let path = place.namedPath else { return nil }
    let shown = KeyFile.shown(path)
    if let file = facts.file?.facts, file.owner != facts.user, file.owner != 0 {
      return .warning(
        .apiKey, "it is set, by \(place.described), which belongs to the user \(file.owner)",
        remedy: "make it your own: `chown \(facts.user) \(shown.shellWord)`")
    }
    if let folder = facts.folder?.facts, folder.isWritableByOthers {
      let parent = path.parentFolder
      return .warning(
        .apiKey,
        "it is set, by \(place.described), in whose folder \(parent) others may put another in its place "
          + "(mode \(folder.modeShown))",
        remedy: "`chmod go-w \(parent.shellWord)`")
    }
    return nil
  }
}

extension APIKeySetting.Place {
  /// The file that a setting names; `nil` for another place.
  fileprivate var namedPath: String? {
    if case .file(let file) = self { file.path } else { nil }
  }

  /// The place in a sentence.
  fileprivate var described: String {
    switch self {
    case .variable: "the environment's \(APIKeySetting.variable)"
    case .file(let file): "the file \(KeyFile.shown(file.path))"
    case .credential(let path): "systemd's credential \(path)"
    }
  }
}

extension String {
  /// The folder that a path lies in, as it is written: `.` for a bare name.
  var parentFolder: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }
}
