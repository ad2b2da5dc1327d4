import Foundation

/// The built program as a process of a user whom permissions hold: root may write to anything, so the program is run as
/// somebody else where the tests are root's.
enum UnprivilegedCommand {
  static func start(_ arguments: [String], at desk: Desk) throws -> SpawnedCommand {
    guard geteuid() == 0 else { return try SpawnedCommand(arguments, environment: desk.environment) }
    return try SpawnedCommand(
      identity + [SpawnedCommand.program.path] + arguments, environment: desk.environment,
      program: URL(filePath: privilegeTool))
  }

  /// Whom the program runs as.
  static var user: UInt32 { geteuid() == 0 ? 65_534 : geteuid() }

  private static let privilegeTool = "/usr/bin/setpriv"
  private static let identity = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]

  /// Whether the program can be run as somebody else: it may lie where nobody else comes.
  static func canRun() async -> Bool {
    guard geteuid() == 0 else { return true }
    guard FileManager.default.isExecutableFile(atPath: privilegeTool) else { return false }
    let version = try? SpawnedCommand(
      identity + [SpawnedCommand.program.path, "--version"], environment: [:],
      program: URL(filePath: privilegeTool))
    return await version?.finish().status == 0
  }
}
