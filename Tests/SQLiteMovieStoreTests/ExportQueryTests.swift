import CatalogEngine
import SQLiteBinding
import Testing

@testable import SQLiteMovieStore

@Suite struct `The queries that can be exported` {
  @Test func `sort nothing, so that the first row costs no more than the last`() async throws {
    try await withTemporaryFolder { folder async throws in
      let path = folder + "/movies.db"
      await (try SQLiteMovieStore(.file(path))).close()
      let connection = try Connection(location: .file(path), mode: .readOnly)
      let days = day(20_190_708)...day(20_190_714)
      for query in ExportQuery.all {
        for days in query.hasDays ? [nil, days] : [nil] {
          let plan = try connection.withStatement("EXPLAIN QUERY PLAN " + query.sql(days: days)) {
            statement throws(SQLiteError) in
            try statement.mapRows { row throws(SQLiteError) in try row.string(at: 3) }
          }
          // The lists of one movie are sorted in themselves, at most.
          let top = plan.filter { !$0.contains("CORRELATED") }
          #expect(!plan.isEmpty)
          #expect(!top.contains { $0.contains("TEMP B-TREE") }, "\(query.name): \(plan)")
        }
      }
    }
  }

  @Test func `have names that no table has`() async throws {
    try await withTemporaryFolder { folder async throws in
      let path = folder + "/movies.db"
      await (try SQLiteMovieStore(.file(path))).close()
      let contents = try await StoreExport(of: path).contents()
      #expect(Set(contents.map(\.name)).count == contents.count)
      #expect(contents.prefix(ExportQuery.all.count) == StoreExport.queries[...])
    }
  }
}
