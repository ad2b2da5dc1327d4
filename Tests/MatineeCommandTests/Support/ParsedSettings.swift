import ArgumentParser
import Testing

@testable import MatineeCommand

/// The settings that options, an environment and the file that either names come to.
///
/// The options are read as a sync's, which knows all there are.
func settings(_ options: String..., environment: [String: String]) throws -> Settings {
  try settings(options, environment: environment)
}

func settings(_ options: [String], environment: [String: String]) throws -> Settings {
  let command = try MatineeArguments.parseAsRoot(["sync"] + options)
  return try Settings(try #require(command as? SyncCommand).flags, environment: environment)
}
