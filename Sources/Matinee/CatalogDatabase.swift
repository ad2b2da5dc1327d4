public import SQLiteMovieStore

/// Where a catalogue keeps what it learns: a SQLite file, or memory.
public typealias CatalogDatabase = SQLiteMovieStore.Location
