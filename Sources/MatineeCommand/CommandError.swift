/// Why the command cannot do what it was asked: what it exits with, and a sentence for stderr.
struct CommandError: Error, Hashable {
  var status: ExitStatus
  /// What, where, and what to do; it never holds a key.
  var message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}
