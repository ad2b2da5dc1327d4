import Glibc

enum ChildProcess {
  /// Runs a program to its end.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> Int32 {
    var pointers = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var child = pid_t()
    let result = posix_spawn(&child, program, nil, nil, &pointers, environ)
    guard result == 0 else { throw SystemFailure(call: "posix_spawn \(program)", number: result) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw SystemFailure(call: program, number: status) }
    return status
  }

  /// Gives up root's right to write anywhere, for this whole process; of no effect for anyone else.
  static func becomeNobody() throws {
    guard geteuid() == 0 else { return }
    guard setegid(65_534) == 0, seteuid(65_534) == 0 else {
      throw SystemFailure(call: "seteuid", number: errno)
    }
  }
}
