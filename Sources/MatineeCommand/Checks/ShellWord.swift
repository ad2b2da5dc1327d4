extension String {
  /// The text as one word of a POSIX shell, whatever it holds: what stands in a remedy is typed.
  var shellWord: String {
    // What begins with a hyphen would be taken for an option.
    if hasPrefix("-") { return "./" + quotedForShell }
    return quotedForShell
  }

  private var quotedForShell: String {
    let harmless = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-")
    guard isEmpty || !allSatisfy(harmless.contains) else { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
