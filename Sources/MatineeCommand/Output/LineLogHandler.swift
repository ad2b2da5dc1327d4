import CatalogEngine
import Logging

/// Writes log events to standard error, one line each: time, level, message, and what belongs to it.
struct LineLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level
  var metadataProvider: Logger.MetadataProvider?

  private let errors: ErrorStream
  private let clock: any CatalogClock

  init(level: Logger.Level, errors: ErrorStream, clock: any CatalogClock) {
    logLevel = level
    self.errors = errors
    self.clock = clock
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let own = metadata.merging(metadataProvider?.get() ?? [:]) { _, provided in provided }
    let all = own.merging(event.metadata ?? [:]) { _, given in given }
    let pairs = all.sorted { $0.key < $1.key }.map { " \($0.key)=\(Self.quoted("\($0.value)"))" }.joined()
    errors.line("\(clock.wallTime) \(event.level) \(event.message)\(pairs)")
  }

  /// A value as it stands behind an equals sign: in quotes where it could be taken for more than one.
  private static func quoted(_ text: String) -> String {
    guard text.isEmpty || text.contains(where: { $0 == " " || $0 == "=" || $0 == "\"" }) else { return text }
    return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
