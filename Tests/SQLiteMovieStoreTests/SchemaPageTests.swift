import CatalogEngine
import Foundation
import SQLiteBinding
import SQLiteMovieStore
import Testing

@Suite struct `The page of the schema` {
  let page: String

  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    page = try String(contentsOf: root.appending(path: "Documentation/schema.md"), encoding: .utf8)
  }

  /// The columns of every table and view, by name, as the page tells them.
  ///
  /// A table has a heading of its own with a row for each of its columns or some of them, or a row of its own with all.
  private var told: [String: [String]] {
    var told: [String: [String]] = [:]
    var heading: String?
    for line in page.split(separator: "\n") {
      if line.hasPrefix("#") { heading = line.firstMatch(of: /^### `(\w+)`$/).map { String($0.1) } }
      if let heading, told[heading] == nil { told[heading] = [] }
      // An escaped bar parts no cells.
      let cells = line.replacing(#"\|"#, with: "").split(separator: "|").map(String.init)
      guard line.hasPrefix("| `"), let first = cells.first else { continue }
      if cells.count == 3 {
        told[names(in: first).joined()] = names(in: cells[1])
      } else if let heading {
        told[heading, default: []] += names(in: first)
      }
    }
    return told
  }

  private func names(in cell: String) -> [String] { cell.matches(of: /`(\w+)`/).map { String($0.1) } }

  /// Runs a query on a connection and gives its rows, each as text.
  private func rows(_ sql: String, _ connection: Connection) throws -> [String] {
    try connection.withStatement(sql) { statement throws(SQLiteError) in
      let count = statement.columnCount
      return try statement.mapRows { row throws(SQLiteError) in
        var values: [String] = []
        for column in 0..<count {
          switch row.storageClass(at: column) {
          case .text: values.append(try row.string(at: column))
          case .integer: values.append(String(try row.int64(at: column)))
          case .real: values.append(String(try row.double(at: column)))
          case .blob, .null: values.append("–")
          }
        }
        return values.joined(separator: "|")
      }
    }
  }

  @Test func `tells every table and view with all of its columns`() async throws {
    try await withTemporaryFolder { folder async throws in
      let path = folder + "/movies.db"
      await (try SQLiteMovieStore(.file(path))).close()
      let connection = try Connection(location: .file(path), configuration: ConnectionConfiguration())
      let stored = try rows(
        """
        SELECT item.name, group_concat(part.name, ' ')
        FROM sqlite_schema AS item, pragma_table_info(item.name) AS part
        WHERE item.type IN ('table', 'view') AND item.name NOT LIKE 'sqlite_%' GROUP BY 1
        """, connection)
      let told = told
      #expect(stored.count > 30)
      #expect(Set(stored.map { String($0.prefix { $0 != "|" }) }) == Set(told.keys))
      for line in stored {
        let parts = line.split(separator: "|")
        let columns = told[String(parts[0])] ?? []
        #expect(Set(columns) == Set(parts[1].split(separator: " ").map(String.init)), "\(parts[0])")
        #expect(Set(columns).count == columns.count, "\(parts[0]) has a column twice")
      }
    }
  }

  @Test func `shows queries that find something`() async throws {
    let fixture = try #require(
      Bundle.module.url(forResource: "schema-3", withExtension: "db", subdirectory: "Schemas"))
    try await withTemporaryFolder { folder async throws in
      let path = folder + "/movies.db"
      try FileManager.default.copyItem(at: fixture, to: URL(filePath: path))
      let store = try await SQLiteMovieStore(.file(path))
      // What the recorded week lacks: a chart of a part, a gap, a correction, and lists.
      let saturday = BoxOfficePeriod.daily(day(20_190_713))
      _ = try await store.commit(answer(.boxOffice(chart(saturday, filter: korean))), in: nil)
      _ = try await store.commit(answer(.boxOffice(chart(saturday, filter: korean, audience: 1))), in: nil)
      _ = try await store.commit(answer(.boxOffice(chart(.daily(day(20_190_717))))), in: nil)
      for (hour, codes) in [["M1", "M2"], ["M1"]].enumerated() {
        _ = try await store.beginGeneration(of: .movies, upstream: kobis, at: .hours(hour))
        _ = try await store.commit(answer(moviePage(of: codes.count, codes), at: .hours(hour)), in: nil)
      }
      await store.close()
      let connection = try Connection(location: .file(path), mode: .readOnly)
      let queries = page.matches(of: /```sql\n((?:[^`]|\n)+?)```/).map { String($0.1) }
      #expect(queries.count >= 9)
      for query in queries {
        let sql = query.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(sql.hasSuffix(";"))
        #expect(try !rows(String(sql.dropLast()), connection).isEmpty, "\(sql)")
      }
      #expect(try rows("SELECT count(*) FROM chart WHERE day = 20190713", connection) == ["10"])
      #expect(try rows("SELECT DISTINCT filter FROM filtered_chart", connection) == ["korean"])
    }
  }
}
