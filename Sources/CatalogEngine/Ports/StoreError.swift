/// Why the store could not do what it was asked; what was stored before is still there.
public struct StoreError: Error, Hashable, Sendable {
  /// The kinds of storage errors.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code's stable name.
    public let rawValue: String

    /// Makes a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code's stable name.
    public var description: String { rawValue }

    /// The file cannot be opened: missing folder, a directory in its place, a link, no permission.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The file is no SQLite database.
    public static let notADatabase = Code(rawValue: "notADatabase")
    /// The file is a database of another application.
    public static let foreign = Code(rawValue: "foreign")
    /// The file was written by a later version of this software.
    public static let newer = Code(rawValue: "newer")
    /// The file is damaged.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The disk is full.
    public static let full = Code(rawValue: "full")
    /// The file or its file system can only be read.
    public static let readOnly = Code(rawValue: "readOnly")
    /// Another writer held the file for longer than the bound on waiting.
    public static let busy = Code(rawValue: "busy")
    /// Reading or writing the file failed.
    public static let io = Code(rawValue: "io")
    /// The writer's lease was taken over by another: it came too late, and nothing of it was written.
    public static let leaseLost = Code(rawValue: "leaseLost")
    /// The file that was to be made exists already, and is not to be replaced.
    public static let exists = Code(rawValue: "exists")
    /// The store was closed.
    public static let closed = Code(rawValue: "closed")
    /// Anything that has no code of its own.
    public static let other = Code(rawValue: "other")

    /// Every code there is.
    public static let all: [Code] = [
      .unreadable, .notADatabase, .foreign, .newer, .corrupt, .full, .readOnly, .busy, .io, .leaseLost,
      .exists, .closed, .other,
    ]
  }

  /// What kind of error.
  public let code: Code

  /// One sentence for a person: what, where, and what to do.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension StoreError: CustomStringConvertible {
  /// Code and message in one line.
  public var description: String { "\(code): \(message)" }
}
