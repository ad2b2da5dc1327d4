import CatalogEngine

extension CommandError {
  /// What is said of an argument that is no code of the upstream's.
  ///
  /// It is read once the parser is content: what follows a mistyped option is taken for an argument first, and must not
  /// be told as a mistyped code.
  static func malformedCode(_ text: String, example: String) -> CommandError {
    CommandError(
      .usage,
      "The value '\(text)' is invalid for '<code>': a code is 1 to \(MovieCode.characterCountMax) letters and "
        + "digits, as \(example)")
  }
}
