/// The arguments and the environment of a process, as text.
///
/// To the system they are bytes. What is not UTF-8 is refused: a name that was repaired would be that of another file.
package struct ProcessText: Sendable {
  /// The arguments without the program's name.
  package let arguments: [String]
  /// The variables; of one that is set twice, the first.
  package let environment: [String: String]
  /// What is not text though it is read; `nil` if there is none.
  let refusal: CommandError?

  /// Takes what the system gave.
  ///
  /// - Parameters:
  ///   - arguments: The arguments without the program's name.
  ///   - environment: Variables, each as `NAME=value`; what has no `=` sets nothing.
  package init(arguments: [[UInt8]], environment: [[UInt8]]) {
    var refusal: CommandError?
    self.arguments = arguments.enumerated().map { index, bytes in
      guard let text = String(validating: bytes, as: UTF8.self) else {
        // By its place alone, as it might hold a key.
        refusal = refusal ?? CommandError(.usage, "argument \(index + 1) is not UTF-8")
        return ""
      }
      return text
    }
    var variables: [String: String] = [:]
    for entry in environment {
      guard let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: entry[..<equals], as: UTF8.self)
      guard variables[name] == nil else { continue }
      let bytes = entry[(equals + 1)...]
      variables[name] = String(decoding: bytes, as: UTF8.self)
      // Its value is not told, which might be a key.
      if String(validating: bytes, as: UTF8.self) == nil, Settings.variables.contains(name) {
        refusal = refusal ?? CommandError(.configuration, "the environment's \(name) is not UTF-8")
      }
    }
    self.environment = variables
    self.refusal = refusal
  }
}
