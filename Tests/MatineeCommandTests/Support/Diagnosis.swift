import Foundation
import Testing

@testable import MatineeCommand

/// What `matinee doctor --format json` said.
struct Diagnosis {
  /// One check.
  struct Check {
    var state: String
    var found: String
    var remedy: String?
  }

  var status: Int32
  var problemCount: Int
  var warningCount: Int
  private var checks: [String: Check] = [:]

  init(_ outcome: Desk.Outcome, sourceLocation: SourceLocation = #_sourceLocation) throws {
    status = outcome.status
    let json = try object(outcome.output, sourceLocation: sourceLocation)
    problemCount = try #require(json["problems"] as? Int, sourceLocation: sourceLocation)
    warningCount = try #require(json["warnings"] as? Int, sourceLocation: sourceLocation)
    let list = try #require(json["checks"] as? [[String: Any]], sourceLocation: sourceLocation)
    // Whatever is found, every check is told, once and in its place.
    #expect(
      list.map { $0["name"] as? String } == CheckResult.Name.allCases.map(\.rawValue),
      sourceLocation: sourceLocation)
    for member in list {
      let name = try #require(member["name"] as? String, sourceLocation: sourceLocation)
      let check = Check(
        state: try #require(member["state"] as? String, sourceLocation: sourceLocation),
        found: try #require(member["found"] as? String, sourceLocation: sourceLocation),
        remedy: member["remedy"] as? String)
      #expect(!check.found.isEmpty, "\(name)", sourceLocation: sourceLocation)
      if check.state == "ok" { #expect(check.remedy == nil, "\(name)", sourceLocation: sourceLocation) }
      if check.state == "warning" || check.state == "problem" {
        #expect(check.remedy?.isEmpty == false, "\(name)", sourceLocation: sourceLocation)
      }
      checks[name] = check
    }
    #expect(
      problemCount == checks.values.count { $0.state == "problem" }, sourceLocation: sourceLocation)
    #expect(
      warningCount == checks.values.count { $0.state == "warning" }, sourceLocation: sourceLocation)
  }

  subscript(name: CheckResult.Name) -> Check {
    checks[name.rawValue] ?? Check(state: "missing", found: "", remedy: nil)
  }

  /// The checks that are not in order, by their names.
  func names(in state: String) -> [CheckResult.Name] {
    CheckResult.Name.allCases.filter { self[$0].state == state }
  }
}

extension Desk {
  /// Asks the doctor, and holds it to changing nothing: no file comes or goes, and none but SQLite's index of a log,
  /// where readers mark what they read, has other bytes than before.
  func diagnosis(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Diagnosis {
    let before = try contents()
    let outcome = await run(["doctor", "--format", "json"] + arguments)
    let after = try contents()
    #expect(after.keys.sorted() == before.keys.sorted(), sourceLocation: sourceLocation)
    for (name, bytes) in before where !name.hasSuffix("-shm") {
      #expect(after[name] == bytes, "\(name)", sourceLocation: sourceLocation)
    }
    #expect(outcome.errors.isEmpty, sourceLocation: sourceLocation)
    return try Diagnosis(outcome, sourceLocation: sourceLocation)
  }

  /// The bytes of every file in the desk's folder, by its path there; of what is no file, what it is.
  private func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false)) {
      let file = folder.appending(path: name)
      let type =
        try FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))[.type]
        as? FileAttributeType
      contents[name] =
        type == .typeRegular ? try Data(contentsOf: file) : Data("\(type?.rawValue ?? "?")".utf8)
    }
    return contents
  }

  /// Sets the permissions of a file or folder in the desk's folder.
  func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
  }

  /// Writes a file in the desk's folder, for its owner alone.
  @discardableResult
  func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
    try Data(text.utf8).write(to: folder.appending(path: name))
    try setMode(mode, of: name)
    return path(name)
  }
}
