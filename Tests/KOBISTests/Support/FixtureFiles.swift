import Foundation

/// The package's fixtures that are not embedded, read from its folder.
enum FixtureFile {
  /// The bytes of `Fixtures/answers/<name>`.
  static func answer(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: package.appending(path: "Fixtures/answers/\(name)")))
  }

  /// The package's folder, three levels above this file's own.
  static var package: URL {
    URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
  }
}
