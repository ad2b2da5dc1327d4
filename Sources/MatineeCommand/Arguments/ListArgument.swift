import ArgumentParser
import CatalogEngine

/// What `list` can list.
enum ListArgument: String, CaseIterable {
  case movies, people, companies, codes

  /// Reads the value of an argument once the parser is content: what follows a mistyped option is taken for an
  /// argument first, and must not be told as a mistyped list.
  static func parsed(_ text: String) throws(CommandError) -> ListArgument {
    guard let list = ListArgument(rawValue: text) else {
      let names = allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError(
        .usage, "The value '\(text)' is invalid for '<list>': there is no such list; there are \(names)")
    }
    return list
  }
}

extension CodeList {
  /// Reads the name of a list of codes.
  static func parsed(_ text: String) throws -> CodeList {
    guard let list = CodeList(rawValue: text) else {
      let names = allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("there is no list of codes '\(text)'; there are \(names)")
    }
    return list
  }
}
