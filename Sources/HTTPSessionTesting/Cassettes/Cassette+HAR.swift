public import Foundation
import HTTPTypes

extension Cassette {
  /// Reads the exchanges of a HAR 1.2 file, as browsers export it, its secrets replaced.
  ///
  /// Entries without a response (status 0: the browser gave up) become failures of code `other`.
  ///
  /// - Throws: ``HTTPTestingError`` naming the file and the line.
  public init(
    harContentsOf url: URL, redaction: Redaction = .default
  ) throws(HTTPTestingError) {
    guard let data = try? Data(contentsOf: url), data.count <= Self.fileByteCountMax else {
      throw HTTPTestingError(
        .cassetteMissing,
        "There is no HAR file at \(url.path), or it has more than \(Self.fileByteCountMax) bytes.")
    }
    try self.init(har: data, fileName: url.path, redaction: redaction)
  }

  /// Reads the exchanges of a HAR 1.2 document; `fileName` is what errors call it.
  public init(
    har bytes: some Sequence<UInt8>, fileName: String, redaction: Redaction = .default
  ) throws(HTTPTestingError) {
    try redaction.validate()
    let root = try NodeReader(root: Array(bytes), fileName: fileName)
    var exchanges: [RecordedExchange] = []
    for entry in try root.member("log").member("entries").elements() {
      exchanges.append(redaction.redacting(try HARDecoder.exchange(entry)))
    }
    self.init(exchanges: exchanges)
  }
}
