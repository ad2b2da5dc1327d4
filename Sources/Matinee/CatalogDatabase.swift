/// Where a catalogue keeps what it learns.
public enum CatalogDatabase: Hashable, Sendable {
  /// The SQLite file at a path, made with mode 0600 if it is not there; its folder must exist.
  case file(String)
  /// Memory: gone when the catalogue is shut down. The same store, for tests and trials.
  case inMemory
}
