public import Foundation

/// Recorded exchanges in a file that people can read and that changes little under diff.
///
/// The file is JSON, two spaces per level, fields in a fixed order, header fields in order of their names. A body
/// stands as JSON if its bytes can be had back from that, else as text, else as Base64 in short lines.
public struct Cassette: Hashable, Sendable {
  /// The version of the file format that this kit writes; it reads this one and all before.
  public static let formatVersion = 1

  /// The most bytes a cassette's file may have.
  public static let fileByteCountMax = 67_108_864

  /// The exchanges in the order of their requests.
  public var exchanges: [RecordedExchange]

  /// Makes a cassette.
  public init(exchanges: [RecordedExchange] = []) { self.exchanges = exchanges }

  /// Reads a cassette's file.
  ///
  /// - Parameter redaction: What must not stand there in the clear; `nil` not to look.
  /// - Throws: ``HTTPTestingError`` if it is missing, truncated, malformed, of a newer format or holds a secret;
  ///   it names the file, the line and the way out.
  public init(contentsOf url: URL, redaction: Redaction? = .default) throws(HTTPTestingError) {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw HTTPTestingError(
        .cassetteMissing,
        "There is no cassette at \(url.path). Record it once: mode .once with an upstream.")
    }
    guard let data = try? Data(contentsOf: url), data.count <= Self.fileByteCountMax else {
      throw HTTPTestingError(
        .cassetteMalformed,
        "\(url.path) cannot be read, or has more than \(Self.fileByteCountMax) bytes.")
    }
    try self.init(parsing: data, fileName: url.path, redaction: redaction)
  }

  /// Reads a cassette from bytes; `fileName` is what errors call it.
  public init(
    parsing bytes: some Sequence<UInt8>, fileName: String, redaction: Redaction? = .default
  ) throws(HTTPTestingError) {
    let decoder = CassetteDecoder(fileName: fileName)
    let entries = try decoder.decode(Array(bytes))
    exchanges = entries.map { Redaction.mended($0.exchange) }
    guard let redaction else { return }
    try redaction.validate()
    for (entry, exchange) in zip(entries, exchanges) where redaction.redacting(exchange) != exchange {
      throw decoder.secret(exchange, line: entry.line, redaction)
    }
  }

  /// The file's text; equal cassettes give equal text.
  public var text: String { CassetteEncoder().encode(self) }

  /// Writes the file, as a whole or not at all, and its folder if need be.
  ///
  /// - Parameter redaction: What is replaced before writing.
  /// - Throws: ``HTTPTestingError`` if it cannot be written.
  public func write(to url: URL, redaction: Redaction = .default) throws(HTTPTestingError) {
    try redaction.validate()
    let redacted = Cassette(exchanges: exchanges.map { redaction.redacting($0) })
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(redacted.text.utf8).write(to: url, options: .atomic)
    } catch {
      throw HTTPTestingError(.cassetteNotSaved, "\(url.path) cannot be written: \(error)")
    }
  }

  /// Where a test's cassette lies: the file `name.json` in the folder `Cassettes` beside the test's source.
  public static func location(named name: String, filePath: String = #filePath) -> URL {
    URL(filePath: filePath).deletingLastPathComponent().appending(path: "Cassettes/\(name).json")
  }
}
