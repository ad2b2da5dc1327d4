import ArgumentParser
import FoundationEssentials

/// A command as its argument parser describes it: the part of the parser's own dump that a manual page needs.
struct CommandDescription: Decodable {
  /// An argument, option or flag.
  struct Argument: Decodable {
    enum Kind: String, Decodable {
      case positional, option, flag
    }

    struct Name: Decodable, Hashable {
      var kind: String
      var name: String

      /// The name with its dashes, as one types it.
      var dashed: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: Kind
    var shouldDisplay: Bool
    var isOptional: Bool
    var isRepeating: Bool
    var names: [Name]?
    var valueName: String?
    var defaultValue: String?
    var allValues: [String]?
    var abstract: String?
    var discussion: String?
  }

  var commandName: String
  var abstract: String?
  var discussion: String?
  var shouldDisplay: Bool?
  var subcommands: [CommandDescription]?
  var arguments: [Argument]?

  /// The arguments that help texts show.
  var shownArguments: [Argument] { (arguments ?? []).filter(\.shouldDisplay) }

  /// The subcommands that help texts show.
  var shownSubcommands: [CommandDescription] { (subcommands ?? []).filter { $0.shouldDisplay ?? true } }

  /// Describes a command.
  ///
  /// - Throws: `DecodingError` if the parser describes it in another form than is known here.
  init(of command: any ParsableCommand.Type) throws {
    struct Tool: Decodable {
      var command: CommandDescription
    }
    self = try JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8)).command
  }
}
