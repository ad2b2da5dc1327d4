public import Foundation

/// Finds secrets in cassettes that exist already; make it a test of your own, so that none is ever committed.
///
/// ```swift
/// @Test func `no cassette holds a secret`() throws {
///   try CassetteLinter().check(folder: URL(filePath: #filePath).deletingLastPathComponent())
/// }
/// ```
public struct CassetteLinter: Sendable {
  /// A line with a secret; it does not hold the secret itself.
  public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// The file.
    public let fileName: String
    /// The line, counted from 1.
    public let line: Int
    /// What kind of secret it is.
    public let kind: String

    /// File, line and kind.
    public var description: String { "\(fileName): line \(line): \(kind)" }
  }

  private let secrets: [String]
  private let redaction: Redaction

  /// Makes a linter.
  ///
  /// - Parameters:
  ///   - secrets: Secrets to look for as they are, such as the key of your environment; empty ones are ignored.
  ///   - redaction: Whose names of query items and header fields carry secrets.
  public init(secrets: [String] = [], redaction: Redaction = .default) {
    self.secrets = secrets.filter { !$0.isEmpty }
    self.redaction = redaction
  }

  /// Looks through every `.json` and `.har` file in `folder` and below.
  ///
  /// - Throws: ``HTTPTestingError`` naming file, line and kind of each secret; or if the folder is not there,
  ///   or a file in it cannot be read.
  public func check(folder: URL) throws(HTTPTestingError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder),
      isFolder.boolValue
    else {
      throw HTTPTestingError(.cassetteMissing, "There is no folder \(folder.path) to look through.")
    }
    var findings: [Finding] = []
    let names =
      FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    for name in names.sorted() where name.hasSuffix(".json") || name.hasSuffix(".har") {
      let file = folder.appending(path: name)
      if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), isFolder.boolValue {
        continue
      }
      guard let data = try? Data(contentsOf: file) else {
        throw HTTPTestingError(
          .cassetteMalformed, "\(file.path) cannot be read, so nobody knows what it holds.")
      }
      findings += self.findings(in: String(decoding: data, as: UTF8.self), fileName: name)
    }
    guard !findings.isEmpty else { return }
    throw HTTPTestingError(
      .cassetteHoldsSecret,
      "\(findings.map(\.description).joined(separator: "\n"))\nRead each with redaction: nil and write it again, "
        + "and change the secrets, if the files were ever shared.")
  }

  /// The secrets in the text of one file.
  public func findings(in text: String, fileName: String) -> [Finding] {
    // To Swift, `\r\n` is one character, and not `\n`.
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    let inLines = lines.enumerated().flatMap { index, line in
      kinds(in: line).map { Finding(fileName: fileName, line: index + 1, kind: $0) }
    }
    return (inLines + pairs(in: text, fileName: fileName)).sorted { $0.line < $1.line }
  }

  /// The secrets among a HAR file's header fields, query items and form items, each an object of name and value,
  /// which most browsers write on two lines.
  private func pairs(in text: String, fileName: String) -> [Finding] {
    text.matches(of: /"name"\s*:\s*"([^"]+)"\s*,\s*"value"\s*:\s*"([^"]+)"/).compactMap { match in
      let name = match.1.lowercased()
      guard redaction.headers.contains(name) || redaction.queryItems.contains(name),
        match.2 != Redaction.mask
      else { return nil }
      let line = 1 + text[..<match.range.lowerBound].count { $0 == "\n" || $0 == "\r\n" }
      return Finding(fileName: fileName, line: line, kind: "the item \(match.1)")
    }
  }

  private func kinds(in line: Substring) -> [String] {
    var kinds: [String] = []
    if secrets.contains(where: { line.contains($0) || line.contains(PercentCoding.encode($0)) }) {
      kinds.append("a secret you named")
    }
    // A form's first item follows the quotation mark of its text.
    for match in line.matches(of: /[?&"]([A-Za-z0-9_.\-]+)=([^&"\s\\]+)/)
    where redaction.queryItems.contains(match.1.lowercased()) && match.2 != Redaction.mask {
      kinds.append("the query item \(match.1)")
    }
    for match in line.matches(of: /"([A-Za-z0-9\-_]+): ([^"]+)"/)
    where redaction.headers.contains(match.1.lowercased()) && match.2 != Redaction.mask {
      kinds.append("the header \(match.1)")
    }
    // JSON within a text has its quotation marks escaped.
    for match in line.replacing("\\\"", with: "\"").matches(
      of: /"([A-Za-z0-9_\-]+)"\s*:\s*(?:"([^"]+)"|-?[0-9])/)
    where redaction.jsonMembers.contains(match.1.lowercased()) && match.2 != Redaction.mask[...] {
      kinds.append("the JSON member \(match.1)")
    }
    if line.contains(/Bearer [A-Za-z0-9\-._~+\/]{8,}/) { kinds.append("a bearer token") }
    if line.contains(/eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}/) {
      kinds.append("a JSON Web Token")
    }
    if line.contains(/AKIA[0-9A-Z]{16}/) { kinds.append("an AWS access key") }
    if line.contains(/-----BEGIN [A-Z ]*PRIVATE KEY-----/) { kinds.append("a private key") }
    return kinds
  }
}
