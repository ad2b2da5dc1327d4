internal import Glibc

/// A short text in the side file of a database's ``WriteGate``: what must not go back when the database does, as when an
/// older copy is put in its place.
///
/// It is no part of a transaction and is not synced: it outlives the process at any moment, and not a power cut.
package struct GateNote: Sendable {
  /// The longest text that is read.
  package static let byteCountMax = 4_096

  let path: String

  /// What was written last; `nil` where there is nothing, or where it cannot be read.
  package func text() -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.byteCountMax)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? String(validating: bytes[..<count], as: UTF8.self) : nil
  }

  /// Replaces the text. For use within ``Database/write(_:)``, which holds the gate and so keeps other writers away.
  ///
  /// A process that is killed in the midst may leave the end of an older and longer text behind this one.
  ///
  /// - Returns: Whether it could be written.
  @discardableResult
  package func replace(with text: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count && ftruncate(descriptor, bytes.count) == 0
  }
}

extension Database {
  /// The note beside the file; `nil` in memory and where nothing can be written.
  package var gateNote: GateNote? { writer.map { GateNote(path: $0.gate.path) } }
}
