package import CatalogEngine
package import SQLiteBinding

/// The rows of a store's file, one after another: of any table or view, and of the command's queries.
///
/// An export reads one snapshot on a thread of its own, keeps no more than a row, and neither migrates the file nor waits
/// for anybody. For as long as it takes, the write-ahead log cannot be cut.
package struct StoreExport: Sendable {
  /// Something that can be exported.
  package struct Content: Hashable, Sendable {
    /// What it is in the database.
    package enum Kind: String, Sendable { case query, table, view }

    package let name: String
    package let kind: Kind
    package let columns: [String]
    /// Whether it can be narrowed down to days.
    package let hasDays: Bool
  }

  /// Why an export came to no end.
  package enum Failure: Error, SQLiteErrorConvertible {
    /// There is nothing of that name; this is what there is.
    case unknown([Content])
    case store(StoreError)
    /// What the sink threw.
    case sink(any Error)

    package init(_ error: SQLiteError) { self = .store(StoreError(error)) }
  }

  private let path: String
  private let reader: FileReader

  package init(of path: String) {
    self.path = path
    reader = FileReader(path: path, migrator: .movies)
  }

  /// Why rows must not be written to a file at `target`, in a sentence; `nil` if no database would be harmed, be it this
  /// or another.
  package func objection(to target: String) -> String? {
    TargetPlace(target, for: .export).objection(besides: path)
  }

  /// The command's queries, which there are in every database of the present schema.
  package static var queries: [Content] { ExportQuery.all.map(Content.init) }

  /// What can be exported: the command's queries, then tables and views by name.
  package func contents() async throws(StoreError) -> [Content] {
    do throws(SQLiteError) {
      return try await reader.read { connection, _ throws(SQLiteError) in try connection.exportableContents()
      }
    } catch {
      throw StoreError(error)
    }
  }

  /// Tells all rows to a sink.
  ///
  /// - Parameters:
  ///   - name: What to export; a query comes before a table of the same name.
  ///   - days: The days in which a chart's last day has to lie; only for what ``Content/hasDays``.
  ///   - makeSink: Called once, on the thread on which the sink will be used.
  /// - Returns: How many rows there were.
  package func write<Sink: RowSink>(
    _ name: String, days: ClosedRange<CalendarDay>? = nil, to makeSink: @escaping @Sendable () throws -> Sink
  ) async throws(Failure) -> Int {
    try await reader.read { connection, isCancelled throws(Failure) in
      let contents = try Failure.catching { () throws(SQLiteError) in try connection.exportableContents() }
      guard let content = contents.first(where: { $0.name == name }) else { throw .unknown(contents) }
      let query = content.kind == .query ? ExportQuery.all.first { $0.name == name } : nil
      let sql = try Failure.catching { () throws(SQLiteError) in
        if let query { return query.sql(days: days) }
        return try connection.selectAll(of: content)
      }
      var sink: Sink
      do { sink = try makeSink() } catch { throw .sink(error) }
      return try connection.write(
        sql, forms: query?.columns.map(\.form), columns: content.columns, to: &sink, isCancelled: isCancelled)
    }
  }
}

extension StoreExport.Content {
  fileprivate init(_ query: ExportQuery) {
    self.init(name: query.name, kind: .query, columns: query.columns.map(\.name), hasDays: query.hasDays)
  }
}

extension StoreExport.Failure {
  fileprivate static func catching<Value>(
    _ body: () throws(SQLiteError) -> Value
  ) throws(StoreExport.Failure) -> Value {
    do throws(SQLiteError) { return try body() } catch { throw StoreExport.Failure(error) }
  }
}

extension Connection {
  fileprivate func exportableContents() throws(SQLiteError) -> [StoreExport.Content] {
    var contents: [StoreExport.Content] = []
    // A file of an older schema lacks the tables of some.
    for query in ExportQuery.all where try isUnderstood(query.sql(days: nil)) {
      contents.append(StoreExport.Content(query))
    }
    let names = try withStatement(
      """
      SELECT name, type FROM sqlite_schema
      WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*' ORDER BY name
      """
    ) { statement throws(SQLiteError) in
      try statement.mapRows { row throws(SQLiteError) in (try row.string(at: 0), try row.string(at: 1)) }
    }
    for (name, type) in names {
      let columns = try withStatement("SELECT * FROM \(name.quotedAsIdentifier)") {
        statement throws(SQLiteError) in statement.columnNames
      }
      contents.append(
        StoreExport.Content(
          name: name, kind: type == "view" ? .view : .table, columns: columns, hasDays: false))
    }
    return contents
  }

  private func isUnderstood(_ sql: String) throws(SQLiteError) -> Bool {
    do throws(SQLiteError) {
      try withStatement(sql) { _ throws(SQLiteError) in }
      return true
    } catch  where error.code == .error {
      return false
    } catch {
      throw error
    }
  }

  /// All rows of a table by its primary key, or of a view as it gives them.
  fileprivate func selectAll(of content: StoreExport.Content) throws(SQLiteError) -> String {
    let all = "SELECT * FROM \(content.name.quotedAsIdentifier)"
    guard content.kind == .table else { return all }
    let key = try withStatement("SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk") {
      statement throws(SQLiteError) in
      try statement.bind(content.name, at: 1)
      return try statement.mapRows { row throws(SQLiteError) in try row.string(at: 0).quotedAsIdentifier }
    }
    return all + " ORDER BY " + (key.isEmpty ? "rowid" : key.joined(separator: ", "))
  }

  fileprivate func write(
    _ sql: String, forms: [ExportQuery.Column.Form]?, columns: [String], to sink: inout some RowSink,
    isCancelled: () -> Bool
  ) throws(StoreExport.Failure) -> Int {
    do { try sink.begin(columns: columns) } catch { throw .sink(error) }
    var rowCount = 0
    try withStatement(sql) { statement throws(StoreExport.Failure) in
      try statement.forEachRow { row throws(StoreExport.Failure) in
        // A row is too few instructions for the statement to be interrupted by itself.
        guard !isCancelled() else { throw .store(StoreError(.other, "the export was cancelled")) }
        for column in 0..<row.columnCount {
          do throws(SQLiteError) {
            try row.write(column, as: forms?[column] ?? .asStored, to: &sink)
          } catch {
            throw StoreExport.Failure(error)
          }
        }
        do { try sink.endRow() } catch { throw StoreExport.Failure.sink(error) }
        rowCount += 1
      }
    }
    do { try sink.end() } catch { throw .sink(error) }
    return rowCount
  }
}

extension Row {
  fileprivate func write(
    _ column: Int, as form: ExportQuery.Column.Form, to sink: inout some RowSink
  ) throws(SQLiteError) {
    switch storageClass(at: column) {
    case .null: sink.null()
    case .integer: Self.write(try int64(at: column), as: form, to: &sink)
    case .real:
      let number = try double(at: column)
      if form == .percentage, let percentage = Percentage(percent: number) {
        sink.decimal(percentage.description)
      } else {
        sink.real(number)
      }
    case .text: try withText(at: column) { text throws(SQLiteError) in sink.text(utf8: text) }
    case .blob: try withBlob(at: column) { bytes throws(SQLiteError) in sink.blob(bytes) }
    }
  }

  private static func write(
    _ number: Int64, as form: ExportQuery.Column.Form, to sink: inout some RowSink
  ) {
    switch form {
    case .boolean: sink.boolean(number != 0)
    case .instant: sink.text(Timestamp(millisecondsSinceEpoch: number).description)
    case .day:
      // A number that is no day is told as it is stored.
      if let day = CalendarDay(number: Int(number)) {
        sink.text(day.description)
      } else {
        sink.integer(number)
      }
    case .asStored, .percentage: sink.integer(number)
    }
  }
}
