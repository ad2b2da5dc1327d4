import ArgumentParser
import CatalogEngine

/// The command, from its arguments to its exit status, within this process.
package struct CommandRunner: Sendable {
  private let context: CommandContext

  /// The widths that help texts are made for: the parser indents what it explains by 26 columns, and crashes where that
  /// leaves no room.
  package static let helpColumnCounts = 40...100

  /// Makes a runner in the given surroundings.
  package init(_ surroundings: Surroundings) { context = CommandContext(surroundings) }

  /// Runs the command.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  /// - Returns: The exit status; whatever went wrong has been told on stderr.
  @concurrent package func run(_ arguments: [String]) async -> Int32 {
    do {
      return try await perform(arguments).rawValue
    } catch {
      return status(of: error).rawValue
    }
  }

  /// Runs the command with what the system gave the process.
  ///
  /// - Returns: As the run of arguments.
  @concurrent package func run(_ text: ProcessText) async -> Int32 {
    if let refusal = text.refusal { return status(of: refusal).rawValue }
    return await run(text.arguments)
  }

  private func perform(_ arguments: [String]) async throws -> ExitStatus {
    try APIKeySetting.check(arguments, environment: context.surroundings.environment)
    try MatineeArguments.checkSubcommand(arguments)
    var command: any ParsableCommand
    do {
      command = try MatineeArguments.parseAsRoot(arguments)
      guard let runnable = command as? any Runnable else {
        try command.run()
        return .done
      }
      return try await runnable.run(in: context)
    } catch let error as CommandError {
      throw error
    } catch  where Self.isOfParser(error) {
      return try parserEnded(error)
    }
  }

  /// Whether an error is the parser's to tell: what it throws is private to it, so everything else is named.
  private static func isOfParser(_ error: any Error) -> Bool {
    switch error {
    case is CatalogFailure, is StoreError, is OutputError, is CancellationError: false
    default: MatineeArguments.exitCode(for: error) != .failure
    }
  }

  /// Prints what the parser ended with: a help text or the version to stdout, a mistake to stderr.
  private func parserEnded(_ error: any Error) throws -> ExitStatus {
    let width = context.surroundings.outputTerminal?.columnCount ?? 80
    let columnCount = min(
      max(width, Self.helpColumnCounts.lowerBound), Self.helpColumnCounts.upperBound)
    guard MatineeArguments.exitCode(for: error) != .success else {
      try context.print(MatineeArguments.fullMessage(for: error, columns: columnCount) + "\n")
      return .done
    }
    let text = MatineeArguments.fullMessage(for: error, columns: columnCount)
    for line in text.split(separator: "\n") {
      let mistake = line.hasPrefix("Error: ") ? "matinee: \(line.dropFirst(7))" : String(line)
      context.errors.line(mistake)
    }
    return .usage
  }

  /// Tells on stderr what went wrong, and which status it comes to.
  func status(of error: any Error) -> ExitStatus {
    switch error {
    case let error as CommandError:
      context.errors.notice(error.message)
      return error.status
    case let failure as CatalogFailure:
      context.errors.notice(failure.description)
      return ExitStatus(failure)
    case let error as StoreError:
      context.errors.notice("the database: \(error)")
      return .storage
    // Whoever read the output has seen enough of it, and wants no comment.
    case OutputError.closed:
      return .done
    case OutputError.failed(let reason):
      context.errors.notice("standard output cannot be written: \(reason)")
      return .storage
    case is CancellationError:
      context.errors.notice("stopped before there was an answer")
      return .stoppedEarly
    default:
      // The text of an unknown error may hold anything, a key among it.
      context.errors.notice("a bug in matinee: an error of type \(type(of: error)) that nobody expected")
      return .software
    }
  }
}
