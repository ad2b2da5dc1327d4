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

  /// Runs `body` without root's right to write anywhere; of no effect for anyone else.
  ///
  /// It changes the whole process: for the body of an exit test only.
  static func asNobody(_ body: () async throws -> Void) async throws {
    let isRoot = geteuid() == 0
    if isRoot, seteuid(65_534) != 0 { throw SystemFailure(call: "seteuid", number: errno) }
    // The leak sanitizer examines the process at its end, which takes the rights it started with.
    defer { if isRoot { seteuid(0) } }
    try await body()
  }
}
