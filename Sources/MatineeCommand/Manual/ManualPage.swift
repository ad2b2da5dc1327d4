import CatalogEngine

/// The manual page matinee(1), made of what the argument parser knows, so that it cannot tell of another command than
/// this one.
struct ManualPage {
  private let command: CommandDescription
  private var page = MdocWriter()

  /// Makes the page.
  ///
  /// - Throws: `DecodingError` if the argument parser describes the command in an unknown form.
  init() throws {
    command = try CommandDescription(of: MatineeArguments.self)
    writeHead()
    writeSynopsis()
    writeDescription()
    writeSubcommands()
    writeList("ENVIRONMENT", of: "Ev", Self.environment.map { ($0.name, $0.meaning) })
    writeList("FILES", of: "Pa", Self.files.map { ($0.path, $0.meaning) })
    writeExitStatus()
    writeExamples()
    writeReferences()
  }

  /// The page in mdoc(7).
  var text: String { page.text }

  private mutating func writeHead() {
    page.macro("Dd", Self.date(of: CommandVersion.releasedOn))
    page.macro("Dt", "MATINEE", "1")
    page.macro("Os", "Matinee", CommandVersion.current)
    page.macro("Sh", "NAME")
    page.macro("Nm", "matinee")
    page.macro("Nd", MdocWriter.escaped(Self.withoutPeriod(command.abstract ?? "")))
  }

  private mutating func writeSynopsis() {
    page.macro("Sh", "SYNOPSIS")
    for subcommand in command.shownSubcommands {
      page.macro("Nm", "matinee")
      page.macro("Cm", MdocWriter.word(subcommand.commandName))
      for group in grouped(own(subcommand)) {
        let form = group.map(form).joined(separator: " | ")
        if group.allSatisfy(\.isOptional) { page.macro("Op", form) } else { page.macro(form) }
      }
    }
    for argument in command.shownArguments where argument.kind == .flag {
      page.macro("Nm", "matinee")
      page.macro(form(of: argument))
    }
  }

  private mutating func writeDescription() {
    page.macro("Sh", "DESCRIPTION")
    page.prose(HelpDiscussion(command.discussion ?? "").paragraphs.first ?? "")
    for paragraph in HelpDiscussion(command.discussion ?? "").paragraphs.dropFirst() + [Self.values] {
      page.macro("Pp")
      page.prose(paragraph)
    }
    page.macro("Pp")
    page.prose("These options may stand before or after the subcommand's name:")
    writeArguments(command.shownArguments)
  }

  private mutating func writeSubcommands() {
    page.macro("Sh", "SUBCOMMANDS")
    for subcommand in command.shownSubcommands {
      page.macro("Ss", MdocWriter.word(subcommand.commandName))
      page.prose(subcommand.abstract ?? "")
      for paragraph in HelpDiscussion(subcommand.discussion ?? "").paragraphs {
        page.macro("Pp")
        page.prose(paragraph)
      }
      writeArguments(own(subcommand))
    }
  }

  /// The arguments of a subcommand that are not those of all.
  private func own(_ subcommand: CommandDescription) -> [CommandDescription.Argument] {
    let shared = Set(command.shownArguments.flatMap { $0.names ?? [] })
    return subcommand.shownArguments.filter { shared.isDisjoint(with: $0.names ?? []) }
  }

  /// The arguments of which there is something to say; a flag and its opposite have that in common.
  private func grouped(_ arguments: [CommandDescription.Argument]) -> [[CommandDescription.Argument]] {
    var groups: [[CommandDescription.Argument]] = []
    for argument in arguments {
      if argument.kind == .flag, let last = groups.last?.last, last.abstract == argument.abstract {
        groups[groups.count - 1].append(argument)
      } else {
        groups.append([argument])
      }
    }
    return groups
  }

  private mutating func writeArguments(_ arguments: [CommandDescription.Argument]) {
    let groups = grouped(arguments.filter { $0.abstract != nil })
    guard !groups.isEmpty else { return }
    page.macro("Bl", "-tag", "-width", "Ds")
    for group in groups {
      page.macro("It", group.map(form).joined(separator: " , "))
      let argument = group[0]
      var sentences = [argument.abstract]
      sentences.append(argument.allValues.map { "One of \($0.joined(separator: ", "))." })
      sentences.append(argument.kind == .flag ? nil : argument.defaultValue.map { "Default: \($0)." })
      sentences.append(argument.discussion)
      page.prose(sentences.compactMap(\.self).joined(separator: " "))
    }
    page.macro("El")
  }

  /// An argument as one types it, in macros.
  private func form(of argument: CommandDescription.Argument) -> String {
    // Fl brings a dash of its own.
    let names = (argument.names ?? []).map { "Fl " + MdocWriter.word(String($0.dashed.dropFirst())) }
    let value = argument.kind == .flag ? nil : "Ar " + MdocWriter.word(argument.valueName ?? "value")
    let form = [names.joined(separator: " , "), value ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    return form + (argument.isRepeating ? " ..." : "")
  }

  private mutating func writeList(_ section: String, of macro: String, _ items: [(String, String)]) {
    page.macro("Sh", section)
    page.macro("Bl", "-tag", "-width", "Ds")
    for (name, meaning) in items {
      page.macro("It", macro, MdocWriter.word(name))
      page.prose(meaning)
    }
    page.macro("El")
  }

  private mutating func writeExitStatus() {
    page.macro("Sh", "EXIT STATUS")
    page.macro("Bl", "-tag", "-width", "Ds")
    for (status, meaning) in ExitStatus.meanings {
      page.macro("It", "\(status.rawValue)")
      page.prose(meaning.prefix(1).uppercased() + meaning.dropFirst() + ".")
    }
    page.macro("El")
  }

  private mutating func writeExamples() {
    page.macro("Sh", "EXAMPLES")
    for command in [command] + command.shownSubcommands {
      let lines = HelpDiscussion(command.discussion ?? "").lines(under: "EXAMPLES")
      guard !lines.isEmpty else { continue }
      page.prose(command.commandName == "matinee" ? "To begin with:" : "With \(command.commandName):")
      page.literal(lines)
    }
  }

  private mutating func writeReferences() {
    page.macro("Sh", "SEE ALSO")
    page.macro("Xr", "sqlite3", "1", ",")
    page.macro("Xr", "systemd.timer", "5")
    page.macro("Pp")
    page.macro("Lk", "https://www.kobis.or.kr/kobisopenapi/", MdocWriter.word("KOBIS Open API"))
  }

  private static func withoutPeriod(_ text: String) -> String {
    text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  /// A date as manual pages write it.
  private static func date(of text: String) -> String {
    guard let day = CalendarDay(text) else { return text }
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
      "November", "December",
    ]
    let (year, month, dayOfMonth) = day.components
    return "\(months[month - 1]) \(dayOfMonth), \(year)"
  }
}
