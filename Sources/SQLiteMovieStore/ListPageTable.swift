import CatalogEngine
import SQLiteBinding

// The tables `list_page` and `list_page_row`: which rows stand on a page of a long list. What they say stands in the
// list's own table, once, however often a row moves from page to page.

extension Connection {
  /// The page stored under a resource's number, with what is known of its rows by now.
  func page<Item: ListedRow>(
    _ number: Int, of upstream: UpstreamID, resource: Int64
  ) throws(StoreError) -> CatalogPage<Item>? {
    let totalCount = try firstRow(
      "SELECT total_count FROM list_page WHERE resource_id = ?1", [.integer(Int(resource))]
    ) { row throws(SQLiteError) in try row.int(at: 0) }
    guard let totalCount else { return nil }
    let known: [KnownRow<Item>] = try knownRows(onPage: resource, of: upstream)
    return CatalogPage(
      number: number, totalCount: totalCount,
      rows: try known.map { row throws(StoreError) in
        if let item = row.item { return item }
        throw StoreError(
          .unreadable("row \(row.position) of page \(number) of the \(Item.table.list.rawValue)"))
      })
  }

  /// Puts a page in the place of the one stored under the resource's number, its rows if it is a revision, and takes
  /// them for met.
  ///
  /// - Returns: What is news in it.
  func commitPage<Item: ListedRow>(
    _ page: CatalogPage<Item>, of answer: FetchedAnswer, resource: Int64, isRevision: Bool
  ) throws(StoreError) -> [CatalogChange.Difference] {
    let upstream = answer.resource.upstream
    let source = answer.provenance.description
    let generation = try openGeneration(counting: page, of: answer)
    try saveCount(page.totalCount, resource: resource)
    if isRevision { try replaceRows(of: page, resource: resource) }
    let revived = try codes(
      Item.table.revive, [.text(upstream.name), .integer(Int(resource)), .text(source)])
    var differences: [CatalogChange.Difference] = []
    if isRevision {
      differences = try saveRows(
        of: page, resource: resource, answer: answer, generation: generation, revived: revived)
    }
    try write(
      Item.table.meet,
      [
        .text(upstream.name), .integer(Int(resource)), .text(source),
        .integer(generation.map { Int($0.number) }),
      ])
    if differences.contains(where: { $0.kind == .appeared }), try !isFilled(Item.table.list, by: answer) {
      // The first fill of a list is no news.
      differences.removeAll { $0.kind == .appeared }
    }
    guard let generation else { return differences }
    return try differences + advance(generation, with: page, of: answer)
  }

  /// Enters the page with the count that came with it, which is news of the list and none of the page.
  private func saveCount(_ totalCount: Int, resource: Int64) throws(StoreError) {
    try write(
      """
      INSERT INTO list_page VALUES (?1, ?2) ON CONFLICT (resource_id) DO UPDATE SET total_count = excluded.total_count
      WHERE total_count <> excluded.total_count
      """, [.integer(Int(resource)), .integer(totalCount)])
  }

  private func replaceRows<Item: ListedRow>(
    of page: CatalogPage<Item>, resource: Int64
  ) throws(StoreError) {
    try write("DELETE FROM list_page_row WHERE resource_id = ?1", [.integer(Int(resource))])
    try runEach("INSERT INTO list_page_row VALUES (?1, ?2, ?3)", page.rows.enumerated()) {
      row, statement throws(SQLiteError) in
      try statement.bind(resource, at: 1)
      try statement.bind(row.offset + 1, at: 2)
      try statement.bind(row.element.codeText, at: 3)
    }
  }

  /// Writes those rows of a page that are new or say something else than what is known.
  ///
  /// - Parameter revived: The codes of rows that were gone until now: they appear again.
  private func saveRows<Item: ListedRow>(
    of page: CatalogPage<Item>, resource: Int64, answer: FetchedAnswer, generation: ListGeneration?,
    revived: Set<String>
  ) throws(StoreError) -> [CatalogChange.Difference] {
    let known: [KnownRow<Item>] = try knownRows(onPage: resource, of: answer.resource.upstream)
    var (before, after) = (page, page)
    (before.rows, after.rows) = ([], [])
    var written: [WrittenRow<Item>] = []
    var seen: Set<String> = []
    try withStatement(Item.table.upsert) { statement throws(StoreError) in
      // Of a code that stands on the page twice, which no source lets through, the first row counts.
      for (item, known) in zip(page.rows, known)
      where seen.insert(item.codeText).inserted && known.item != item {
        let isLive = known.provenance.map { $0 != .recorded } ?? false
        if isLive && answer.provenance == .recorded { continue }
        let number = try statement.withSQLite { statement throws(SQLiteError) in
          try statement.bind(answer.resource.upstream.name, at: 1)
          try statement.bind(answer.provenance.description, at: 2)
          try statement.bind(answer.fetchedAt.millisecondsSinceEpoch, at: 3)
          try statement.bind(generation?.number, at: 4)
          try item.bind(to: &statement, from: 5)
          return try statement.firstRow { row throws(SQLiteError) in try row.int64(at: 0) }
        }
        guard let number else { throw StoreError(.other, "a row of \(answer.resource) was not entered") }
        written.append(WrittenRow(number: number, item: item, isFirst: known.number == nil))
        // One that could not be read is mended without a word: what it said before is not known.
        if known.number == nil || known.item != nil { after.rows.append(item) }
      }
    }
    try Item.saveLists(of: written, in: self)
    after.rows += page.rows.filter { row in
      revived.contains(row.codeText) && !after.rows.contains { $0.codeText == row.codeText }
    }
    before.rows = known.compactMap(\.item).filter { !revived.contains($0.codeText) }
    return Item.value(after).differences(from: Item.value(before))
  }

  /// What is known of the rows of a page, by position.
  private func knownRows<Item: ListedRow>(
    onPage resource: Int64, of upstream: UpstreamID
  ) throws(StoreError) -> [KnownRow<Item>] {
    var rows: [KnownRow<Item>] = try withStatement(Item.table.selectPage) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(resource, at: 1)
        try statement.bind(upstream.name, at: 2)
        return try statement.mapRows { row throws(SQLiteError) in try KnownRow(row) }
      }
    }
    try Item.loadLists(of: &rows, page: resource, upstream: upstream, in: self)
    return rows
  }

  /// The codes that a statement gives in its first column.
  private func codes(_ sql: String, _ values: [ColumnValue]) throws(StoreError) -> Set<String> {
    try withStatement(sql) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(values)
        return Set(try statement.mapRows { row throws(SQLiteError) in try row.string(at: 0) })
      }
    }
  }
}
