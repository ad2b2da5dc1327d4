package import Foundation
import SpawnedProcess

/// Recorded answers of the real KOBIS, which the project does not ship; tests use them where they are.
package enum Recordings {
  /// The folder: `MATINEE_RECORDINGS`, or `shared/recorded/kobis` beside the package; `nil` if there is none.
  package static let folder: URL? = {
    let named = ProcessInfo.processInfo.environment["MATINEE_RECORDINGS"].map { URL(filePath: $0) }
    var candidates = [named].compactMap(\.self)
    // Package folders may be reached by links, so every folder above is looked beside.
    var above = URL(filePath: #filePath).resolvingSymlinksInPath()
    while above.path.count > 1 {
      above.deleteLastPathComponent()
      candidates.append(above.appending(path: "shared/recorded/kobis"))
    }
    return candidates.first { FileManager.default.fileExists(atPath: $0.appending(path: "INDEX.md").path) }
  }()

  /// Whether the recordings are there.
  package static var areThere: Bool { folder != nil }

  /// The files of a service, by name.
  package static func files(of service: String) throws -> [(name: String, bytes: [UInt8])] {
    guard let folder = folder?.appending(path: service) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      (name, [UInt8](try Data(contentsOf: folder.appending(path: name))))
    }
  }

  /// `gzip` could not unpack a year, or is not there.
  package struct UnpackingError: Error, CustomStringConvertible {
    package let description: String
  }

  /// The bodies of a year's days, in their order; none where the recordings are not.
  package static func history(of year: Int) async throws -> [[UInt8]] {
    guard let folder else { return [] }
    let file = folder.appending(path: "history/daily-\(year).ndjson.gz").path
    let environment = ["PATH": "/usr/bin:/bin"]
    let gzip = try SpawnedProcess("/usr/bin/env", ["gzip", "-dc", file], environment: environment)
    let (status, text, errors) = await gzip.finish()
    guard status == 0 else {
      throw UnpackingError(description: "gzip could not unpack \(file): \(errors)")
    }
    return text.split(separator: UInt8(ascii: "\n")).map { [UInt8]($0) }
  }
}
