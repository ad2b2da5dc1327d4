import Glibc

/// The terminal that an output is connected to.
package struct Terminal: Hashable, Sendable {
  /// How many columns it has.
  package var columnCount: Int

  /// The columns that are taken for what is no terminal, and for one that does not say.
  package static let columnCountDefault = 100

  /// The bounds that a terminal's own word is held to.
  private static let columnCountRange = 20...1000

  package init(columnCount: Int) { self.columnCount = columnCount }

  /// The terminal behind a file descriptor; `nil` if there is none.
  package init?(descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let count = isKnown ? Int(size.ws_col) : Self.columnCountDefault
    columnCount = min(max(count, Self.columnCountRange.lowerBound), Self.columnCountRange.upperBound)
  }
}
