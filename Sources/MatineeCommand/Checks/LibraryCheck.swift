import SQLiteMovieStore

/// Whether the system's SQLite is all that it must be.
enum LibraryCheck {
  static func result(_ library: StoreExamination.Library) -> CheckResult {
    if let refusal = library.refusal {
      return .problem(
        .sqlite, refusal,
        remedy: "bring the system's libsqlite3 up to date (`apt-get install libsqlite3-0` where there is "
          + "apt)",
        status: .storage)
    }
    guard library.hasWALResetBug else { return .ok(.sqlite, "SQLite \(library.version)") }
    return .ok(
      .sqlite,
      "SQLite \(library.version); that before 3.51.3 a checkpoint may lose another process's commit (the "
        + "WAL-reset bug) is worked around by the write gate")
  }
}
