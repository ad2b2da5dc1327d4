/// Where a database is kept.
package enum DatabaseLocation: Hashable, Sendable {
  /// A file, by its path: absolute, or relative to the working directory.
  case file(String)
  /// The memory of this process, for as long as the ``Database`` or ``Connection`` lives.
  case memory
}
