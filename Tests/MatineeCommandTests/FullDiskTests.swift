import CatalogEngine
import Foundation
import SQLiteBinding
import Testing

@testable import MatineeCommand

/// A disk that takes no more, in the two ways that a test can have one: `/dev/full`, which refuses every byte as a full
/// disk does, and a limit on the size of files, at which writes fail in the middle.
@Suite struct `When the disk is full` {
  /// Runs the built program where no file may grow beyond so many bytes.
  func run(
    _ arguments: [String], at desk: Desk, fileByteCountMax: Int
  ) async throws -> (status: Int32, output: String, errors: String) {
    // In blocks of 512 bytes, as POSIX has it; without the trap the signal would end the program.
    let script = "trap '' XFSZ; ulimit -f \(fileByteCountMax / 512) || exit 99; exec \"$0\" \"$@\""
    let program = SpawnedCommand.program.path(percentEncoded: false)
    return try await SpawnedCommand(
      ["-c", script, program] + arguments, environment: desk.environment, program: URL(filePath: "/bin/sh")
    ).finish()
  }

  @Test(arguments: ["csv", "ndjson"])
  func `an export to stdout is 74, with the system's word for it`(format: String) async throws {
    try await withRecordedWeek { desk in
      let before = try fingerprint(of: desk.path("matinee.db"))
      let end = try await SpawnedCommand(
        ["-c", "exec \"$0\" \"$@\" > /dev/full", SpawnedCommand.program.path(percentEncoded: false)]
          + ["export", "charts", "--format", format], environment: desk.environment,
        program: URL(filePath: "/bin/sh")
      ).finish()
      #expect(end.status == 74)
      #expect(end.errors == "matinee: standard output cannot be written: No space left on device\n")
      #expect(try fingerprint(of: desk.path("matinee.db")) == before)
    }
  }

  @Test func `an export to a file leaves nothing of it, or what was there before`() async throws {
    try await withRecordedWeek { desk in
      try desk.addBallast(megabyteCount: 1)
      let before = try fingerprint(of: desk.path("matinee.db"))
      let file = desk.path("ballast.csv")
      let end = try await run(
        ["export", "ballast", "--output", file], at: desk, fileByteCountMax: 200_000)
      #expect(end.status == 74)
      #expect(end.output.isEmpty)
      #expect(end.errors.hasPrefix("matinee: ") && end.errors.contains("File too large"))
      #expect(desk.names.allSatisfy { $0.hasPrefix("matinee.db") })

      try Data("precious".utf8).write(to: URL(filePath: file))
      let forced = try await run(
        ["export", "ballast", "--output", file, "--force"], at: desk, fileByteCountMax: 200_000)
      #expect(forced.status == 74)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
      #expect(!desk.names.contains { $0.hasSuffix(".partial") })
      #expect(try fingerprint(of: desk.path("matinee.db")) == before)
    }
  }

  @Test func `a backup leaves nothing of it, or the one that was there before`() async throws {
    try await withRecordedWeek { desk in
      try desk.addBallast(megabyteCount: 1)
      let before = try fingerprint(of: desk.path("matinee.db"))
      let copy = desk.path("copy.db")
      let end = try await run(["backup", copy], at: desk, fileByteCountMax: 200_000)
      #expect(end.status == 74)
      #expect(end.output.isEmpty)
      #expect(end.errors.hasPrefix("matinee: no backup was made: ") && end.errors.contains(copy))
      #expect(desk.names.allSatisfy { $0.hasPrefix("matinee.db") })

      #expect(await desk.run("backup", copy).status == 0)
      let earlier = try fingerprint(of: copy)
      try desk.addBallast(megabyteCount: 1)
      let forced = try await run(["backup", copy, "--force"], at: desk, fileByteCountMax: 200_000)
      #expect(forced.status == 74)
      #expect(try fingerprint(of: copy) == earlier)
      #expect(earlier == before)
      #expect(!desk.names.contains { $0.hasSuffix(".partial") })
    }
  }

  @Test func `a prune says so, and every chart is whole or gone`() async throws {
    try await withRecordedWeek { desk in
      try desk.addCharts(count: 3_000)
      // Brings the log into the file.
      #expect(await desk.run("status").status == 0)
      let count = "SELECT count(*) FROM resource WHERE kind LIKE '%box-office'"
      let before = try desk.number(count)
      let prune = ["prune", "--keep", "1d", "--charts", "--format", "json"]
      // Room for some of it, and not for all.
      let end = try await run(prune, at: desk, fileByteCountMax: 1_500_000)
      #expect(end.status == 74)
      #expect(end.errors.contains("matinee: the database: "))
      let report = try object(end.output)
      #expect(report["isComplete"] as? Bool == false)
      let removed = try #require((report["removed"] as? [String: Int])?["charts"])
      #expect(removed > 0 && removed < before)
      #expect(try removed + desk.number(count) == before)
      try desk.checkCharts()

      let rest = try await SpawnedCommand(prune, environment: desk.environment).finish()
      #expect(rest.status == 0, "\(rest.errors)")
      #expect(try desk.number(count) == 0)
      try desk.checkCharts()
    }
  }

  @Test func `writing the file anew leaves it as it was`() async throws {
    try await withRecordedWeek { desk in
      try desk.addBallast(megabyteCount: 2)
      let before = try fingerprint(of: desk.path("matinee.db"))
      let end = try await run(
        ["prune", "--keep", "36500d", "--vacuum", "--format", "json"], at: desk, fileByteCountMax: 400_000)
      #expect(end.status == 74)
      #expect(end.errors.contains("matinee: the database: "))
      #expect(
        try object(end.output)["removed"] as? [String: Int] == [
          "charts": 0, "details": 0, "attempts": 0, "runs": 0,
        ])
      #expect(try fingerprint(of: desk.path("matinee.db")) == before)
      #expect(await desk.run("prune", "--keep", "36500d", "--vacuum").status == 0)
      #expect(try fingerprint(of: desk.path("matinee.db")) == before)
    }
  }
}
