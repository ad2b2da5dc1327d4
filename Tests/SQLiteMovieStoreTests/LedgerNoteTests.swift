import CatalogEngine
import Foundation
import Testing

@testable import SQLiteMovieStore

private let thatDay = day(20_220_106)

extension SQLiteMovieStore {
  /// Enters one more call of the day.
  ///
  /// - Returns: What the call is made with; `nil` if it was not admitted.
  @discardableResult
  fileprivate func charge(_ number: Int, on day: CalendarDay = thatDay, limit: Int = 100) async throws
    -> CallTicket?
  {
    let admission = try await admit(
      CallRequest(
        resource: ResourceID(
          upstream: kobis, subject: .boxOffice(.daily(thatDay.advanced(by: -number)))),
        holder: LeaseHolder(rawValue: "one"), instant: noon, leaseDuration: .seconds(50),
        charge: QuotaCharge(day: day, callCountMax: limit, dailyCallCountMax: limit)))
    guard case .admitted(let ticket) = admission else { return nil }
    return ticket
  }

  fileprivate func usedCount(on day: CalendarDay = thatDay) async throws -> Int {
    try await quotaUse(of: kobis, on: day).usedCount
  }
}

@Suite struct `When an older copy is put in the place of the database` {
  /// Opens the store in `folder`, has `body` use it, and closes it.
  private func withStore(
    in folder: String, _ body: (SQLiteMovieStore) async throws -> Void
  ) async throws {
    let store = try await SQLiteMovieStore(.file(folder + "/movies.db"))
    do { try await body(store) } catch {
      await store.close()
      throw error
    }
    await store.close()
  }

  /// Has two calls entered, keeps a copy, has `later` go on, and puts the copy back.
  private func restore(in folder: String, after later: (SQLiteMovieStore) async throws -> Void) async throws {
    try await withStore(in: folder) { store async throws in
      for number in 0..<2 { try await store.charge(number) }
    }
    try FileManager.default.copyItem(atPath: folder + "/movies.db", toPath: folder + "/older.db")
    try await withStore(in: folder, later)
    for name in ["movies.db", "movies.db-wal", "movies.db-shm"] {
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
    }
    try FileManager.default.moveItem(atPath: folder + "/older.db", toPath: folder + "/movies.db")
  }

  @Test func `the calls that were made since are still used`() async throws {
    try await withTemporaryFolder { folder in
      try await restore(in: folder) { store async throws in
        for number in 2..<7 { try await store.charge(number) }
      }
      try await withStore(in: folder) { store async throws in
        #expect(try await store.usedCount() == 7)
        #expect(try await store.charge(20, limit: 7) == nil)
        #expect(try await store.charge(20, limit: 8) != nil)
        #expect(try await store.usedCount() == 8)
      }
    }
  }

  @Test func `a day that the upstream called used up stays so`() async throws {
    try await withTemporaryFolder { folder in
      try await restore(in: folder) { store async throws in
        let ticket = try await store.charge(2)
        let spent = CatalogFailure(.quota, "320011", detail: "320011", at: noon)
        try await store.recordFailure(spent, for: dailyID, at: noon, in: nil, settling: ticket)
      }
      try await withStore(in: folder) { store async throws in
        #expect(try await store.usedCount() == 100)
        #expect(try await store.charge(3) == nil)
      }
    }
  }

  @Test func `a day that turned during a call has that call, too`() async throws {
    let nextDay = thatDay.advanced(by: 1)
    try await withTemporaryFolder { folder in
      try await restore(in: folder) { store async throws in
        var ticket = try #require(try await store.charge(2))
        ticket.turnedTo = nextDay
        _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil, settling: ticket)
      }
      try await withStore(in: folder) { store async throws in
        #expect(try await store.usedCount(on: nextDay) == 1)
      }
    }
  }

  @Test func `another day begins with none`() async throws {
    try await withTemporaryFolder { folder in
      try await restore(in: folder) { store async throws in
        for number in 2..<7 { try await store.charge(number) }
      }
      try await withStore(in: folder) { store async throws in
        try await store.charge(20, on: thatDay.advanced(by: 1))
        #expect(try await store.usedCount(on: thatDay.advanced(by: 1)) == 1)
      }
    }
  }

  @Test func `a new database in its place has used them as well`() async throws {
    try await withTemporaryFolder { folder in
      try await withStore(in: folder) { store async throws in
        for number in 0..<3 { try await store.charge(number) }
      }
      for name in ["movies.db", "movies.db-wal", "movies.db-shm"] {
        try? FileManager.default.removeItem(atPath: folder + "/" + name)
      }
      try await withStore(in: folder) { store async throws in #expect(try await store.usedCount() == 3) }
    }
  }

  @Test(
    arguments: [
      "", "\n\n", "kobis", "kobis 20220106", "kobis 20220106 -1", "kobis 20220106 1e3", "kobis 20221306 7",
      "kobis 20220106 99999999999999999999", "kobis 20220106 1000001", " 20220106 7", "kobis  20220106 7",
      "kobis 20220106 7 7", String(repeating: "kobis ", count: 10_000), "\u{0}\u{0}",
    ])
  func `a note that is none counts for nothing`(text: String) async throws {
    try await withTemporaryFolder { folder in
      try await withStore(in: folder) { store in try await store.charge(0) }
      try Data(text.utf8).write(to: URL(filePath: folder + "/movies.db-gate"))
      try await withStore(in: folder) { store async throws in
        #expect(try await store.usedCount() == 1)
        try await store.charge(1)
        #expect(try await store.usedCount() == 2)
      }
      #expect(
        try String(contentsOfFile: folder + "/movies.db-gate", encoding: .utf8) == "kobis 20220106 2\n")
    }
  }

  @Test func `one that is no text counts for nothing`() async throws {
    try await withTemporaryFolder { folder in
      try await withStore(in: folder) { store in try await store.charge(0) }
      try Data([0xff, 0xfe, 0x20, 0x0a]).write(to: URL(filePath: folder + "/movies.db-gate"))
      try await withStore(in: folder) { store async throws in #expect(try await store.usedCount() == 1) }
    }
  }

  @Test func `a note of several upstreams keeps them apart, and what a kill left behind is no line`() {
    let line = LedgerNote.Line(upstream: kobis, day: thatDay, usedCount: 12)
    let other = LedgerNote.Line(upstream: UpstreamID("other"), day: thatDay, usedCount: 3)
    let text = LedgerNote.text(of: [line, other])
    #expect(text == "kobis 20220106 12\nother 20220106 3\n")
    #expect(LedgerNote.lines(of: text) == [line, other])
    #expect(LedgerNote.lines(of: text + "34\n20220106 3\n") == [line, other])
  }

  @Test func `what is noted is what the ledger says, with two stores on one file`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/movies.db"
      let stores = [try await SQLiteMovieStore(.file(path)), try await SQLiteMovieStore(.file(path))]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<40 { group.addTask { try await stores[number % 2].charge(number) } }
        try await group.waitForAll()
      }
      #expect(try await stores[0].usedCount() == 40)
      #expect(try String(contentsOfFile: path + "-gate", encoding: .utf8) == "kobis 20220106 40\n")
      for store in stores { await store.close() }
    }
  }
}
