public import Foundation

/// A file of a test's own that stands for a response's body.
public struct Fixture: Sendable {
  /// The most bytes that a fixture may have.
  public static let byteCountMax = 67_108_864

  /// The places the file is looked for, in order.
  let candidates: [URL]
  private let name: String

  /// A file of `bundle`, by its name with ending.
  public init(_ name: String, in bundle: Bundle) {
    self.name = name
    let root = bundle.resourceURL ?? bundle.bundleURL
    // `.copy("Fixtures")` keeps the folder, `.process("Fixtures")` flattens it.
    candidates = [root.appending(path: name), root.appending(path: "Fixtures/\(name)")]
  }

  /// A file at a URL.
  public init(at url: URL) {
    name = url.lastPathComponent
    candidates = [url]
  }

  /// Reads the file.
  ///
  /// - Throws: ``HTTPTestingError`` of code `fixtureNotFound` naming the places that were looked in.
  public func bytes() throws(HTTPTestingError) -> [UInt8] {
    for candidate in candidates {
      guard let data = try? Data(contentsOf: candidate) else { continue }
      guard data.count <= Self.byteCountMax else {
        throw HTTPTestingError(
          .fixtureNotFound,
          "\(name) has \(data.count) bytes; at most \(Self.byteCountMax) are read.")
      }
      return [UInt8](data)
    }
    let places = candidates.map(\.path).joined(separator: " and at ")
    throw HTTPTestingError(
      .fixtureNotFound,
      "There is no readable \(name) at \(places). Add the file to the test target's resources: "
        + "resources: [.copy(\"Fixtures\")] in Package.swift.")
  }

  static func contentType(ofName name: String) -> String {
    switch name.split(separator: ".").last?.lowercased() {
    case "json": "application/json"
    case "html", "htm": "text/html; charset=utf-8"
    case "xml": "application/xml"
    case "txt": "text/plain; charset=utf-8"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    default: "application/octet-stream"
    }
  }
}
