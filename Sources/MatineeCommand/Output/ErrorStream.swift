import HTTPTransport
import KOBIS

/// Standard error: notices, log lines, and a line of progress that stays at the bottom.
///
/// A failure to write is let go: there is nowhere left to tell it. No line can hold a control character, and none the
/// key: whatever the text came from, the key is cut out.
final class ErrorStream: Sendable {
  private struct State {
    var progress = ""
    var secret: APIKey?
  }

  private let output: any ByteOutput
  private let state = LockedValue(State())

  init(_ output: any ByteOutput) { self.output = output }

  /// Has `key` cut out of everything that is written from now on.
  func hide(_ key: APIKey) { state.withLock { $0.secret = key } }

  /// `text` without the key.
  func hiding(_ text: String) -> String { state.withLock { $0.secret }?.hidden(in: text) ?? text }

  /// Writes a line of the command's own.
  func notice(_ text: String) { line("matinee: \(text)") }

  /// Writes a line; the line of progress makes room for it.
  func line(_ text: String) {
    state.withLock { state in
      var shown = text.neutralized
      if let secret = state.secret { shown = secret.hidden(in: shown) }
      try? output.write(Self.erasing(state.progress) + shown + "\n" + state.progress)
    }
  }

  /// Puts `text` in the place of the line of progress; an empty one takes it away.
  ///
  /// - Precondition: Standard error is a terminal, and `text` is narrower than it.
  func progress(_ text: String) {
    state.withLock { state in
      try? output.write(Self.erasing(state.progress) + text)
      state.progress = text
    }
  }

  /// Back to the line's begin, and erase it (ECMA-48 EL).
  private static func erasing(_ progress: String) -> String { progress.isEmpty ? "" : "\r\u{1B}[K" }
}
