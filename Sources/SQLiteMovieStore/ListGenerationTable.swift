import CatalogEngine
import SQLiteBinding

// The table `list_generation`: the goes through the pages of a long list.
//
// A generation is complete when each page that the list has by the latest count came since it was begun, all of them
// from one place. What counts for it, and how far it is, is settled in the transaction that stores a page.

/// How many generations of a list are kept, the latest; the latest complete one stays, however old it is.
private let generationCountMax = 100

private let columns = "generation_id, started_at, total_count, is_steady, completed_at, source"

extension Connection {
  /// The latest generation.
  func generation(of list: CatalogList, upstream: UpstreamID) throws(StoreError) -> ListGeneration? {
    try firstRow(
      """
      SELECT \(columns) FROM list_generation WHERE upstream = ?1 AND list = ?2 ORDER BY generation_id DESC LIMIT 1
      """, [.text(upstream.name), .text(list.rawValue)]
    ) { row throws(SQLiteError) in
      ListGeneration(
        list: list, number: try row.int64(at: 0),
        startedAt: Timestamp(millisecondsSinceEpoch: try row.int64(at: 1)),
        totalCount: try row.optionalInt(at: 2), isSteady: try row.bool(at: 3),
        completedAt: try row.optionalTimestamp(at: 4),
        provenance: try row.optionalString(at: 5).map { Provenance($0) })
    }
  }

  func beginGeneration(
    of list: CatalogList, upstream: UpstreamID, at instant: Timestamp
  ) throws(StoreError) -> ListGeneration {
    try write(
      "INSERT INTO list_generation (upstream, list, started_at) VALUES (?1, ?2, ?3)",
      [.text(upstream.name), .text(list.rawValue), .instant(instant)])
    let number = lastInsertedRowID
    try write(
      """
      DELETE FROM list_generation WHERE upstream = ?1 AND list = ?2
        AND generation_id <= (SELECT generation_id FROM list_generation
          WHERE upstream = ?1 AND list = ?2 ORDER BY generation_id DESC LIMIT 1 OFFSET ?3)
        AND generation_id IS NOT (SELECT max(generation_id) FROM list_generation
          WHERE upstream = ?1 AND list = ?2 AND completed_at IS NOT NULL)
      """, [.text(upstream.name), .text(list.rawValue), .integer(generationCountMax)])
    return ListGeneration(list: list, number: number, startedAt: instant)
  }

  /// When a list was last gone through completely.
  func completion(of list: CatalogList, upstream: UpstreamID) throws(StoreError) -> Timestamp? {
    try firstRow(
      """
      SELECT completed_at FROM list_generation WHERE upstream = ?1 AND list = ?2 AND completed_at IS NOT NULL
      ORDER BY generation_id DESC LIMIT 1
      """, [.text(upstream.name), .text(list.rawValue)]
    ) { row throws(SQLiteError) in Timestamp(millisecondsSinceEpoch: try row.int64(at: 0)) }
  }

  /// Whether a list was gone through completely where an answer comes from, so that what it had not is news.
  func isFilled(_ list: CatalogList, by answer: FetchedAnswer) throws(StoreError) -> Bool {
    try firstRow(
      """
      SELECT 1 FROM list_generation WHERE upstream = ?1 AND list = ?2 AND source = ?3 AND completed_at IS NOT NULL
      LIMIT 1
      """,
      [.text(answer.resource.upstream.name), .text(list.rawValue), .text(answer.provenance.description)]
    ) { _ throws(SQLiteError) in true } ?? false
  }

  /// The generation under way for which a page counts; `nil` if it counts for none.
  ///
  /// A page without rows counts if it lies past the end of its list; and the first one, if the list never had any. That a
  /// list has shrunk by half from one page to the next is rather a fault of the upstream's, where no row bears it out.
  func openGeneration<Item: ListedRow>(
    counting page: CatalogPage<Item>, of answer: FetchedAnswer
  ) throws(StoreError) -> ListGeneration? {
    let upstream = answer.resource.upstream
    guard let generation = try generation(of: Item.table.list, upstream: upstream),
      generation.completedAt == nil, answer.fetchedAt >= generation.startedAt
    else { return nil }
    if !page.rows.isEmpty { return generation }
    if page.isPastEnd { return page.totalCount < (generation.totalCount ?? 0) / 2 ? nil : generation }
    guard page.number == 1, page.totalCount == 0 else { return nil }
    let hasRows = try firstRow(Item.table.generation.selectAny, [.text(upstream.name)]) {
      _ throws(SQLiteError) in true
    }
    return hasRows == nil ? generation : nil
  }

  /// Enters in a generation that one of its pages is stored; with the last one it is complete, and buries what it did
  /// not meet if it may.
  ///
  /// - Returns: What vanished.
  func advance<Item: ListedRow>(
    _ generation: ListGeneration, with page: CatalogPage<Item>, of answer: FetchedAnswer
  ) throws(StoreError) -> [CatalogChange.Difference] {
    let upstream = answer.resource.upstream
    var generation = generation
    if generation.totalCount ?? page.totalCount != page.totalCount { generation.isSteady = false }
    if generation.provenance ?? answer.provenance != answer.provenance { generation.isSteady = false }
    generation.totalCount = page.totalCount
    generation.provenance = answer.provenance
    if try hasEveryPage(generation, upstream: upstream) { generation.completedAt = answer.fetchedAt }
    try write(
      """
      UPDATE list_generation SET source = ?2, total_count = ?3, is_steady = ?4 WHERE generation_id = ?1
      """,
      [
        .integer(Int(generation.number)), .text(answer.provenance.description), .integer(page.totalCount),
        .integer(generation.isSteady ? 1 : 0),
      ])
    guard let completedAt = generation.completedAt else { return [] }
    return try close(generation, Item.table, upstream: upstream, at: completedAt)
  }

  /// Whether every page that a generation has by now came since it was begun, and from where the last one came.
  private func hasEveryPage(_ generation: ListGeneration, upstream: UpstreamID) throws(StoreError) -> Bool {
    // An index alone answers the first; the second finds what is missing at once where pages come in order.
    let pages = "upstream = ?1 AND kind = ?2 AND key BETWEEN ?3 AND ?4"
    return try firstRow(
      """
      SELECT iif((SELECT count(*) FROM resource WHERE \(pages)) = ?5,
        (SELECT 1 FROM resource
          WHERE \(pages) AND (fetched_at >= ?6 AND source = ?7 AND is_empty = (?8 = 0)) IS NOT TRUE
          ORDER BY key DESC LIMIT 1) IS NULL, 0)
      """,
      [
        .text(upstream.name), .text(ResourceID.Kind.page(of: generation.list).rawValue),
        .text(ResourceID.Subject.pageKey(1)), .text(ResourceID.Subject.pageKey(generation.pageCount)),
        .integer(generation.pageCount), .instant(generation.startedAt),
        .text(generation.provenance?.description), .integer(generation.totalCount),
      ]
    ) { row throws(SQLiteError) in try row.bool(at: 0) } ?? false
  }

  /// Completes a generation.
  ///
  /// - Returns: What vanished.
  private func close(
    _ generation: ListGeneration, _ table: ListedTable, upstream: UpstreamID, at instant: Timestamp
  ) throws(StoreError) -> [CatalogChange.Difference] {
    let number = ColumnValue.integer(Int(generation.number))
    let tally = try firstRow(table.generation.tally, [.text(upstream.name), number]) {
      row throws(SQLiteError) in
      (met: try row.int(at: 0), missing: try row.int(at: 1))
    }
    let (met, missing) = tally ?? (0, 0)
    let mayBury = TombstonePolicy.mayBury(generation, metCount: met, missingCount: missing)
    try write(
      """
      UPDATE list_generation SET completed_at = ?2, met_count = ?3, missing_count = ?4, is_buried = ?5
      WHERE generation_id = ?1
      """, [number, .instant(instant), .integer(met), .integer(missing), .integer(mayBury ? 1 : 0)])
    guard mayBury else { return [] }
    // The list has become shorter: what is stored of pages that it no longer has would only be taken for its own.
    try write(
      "DELETE FROM resource WHERE upstream = ?1 AND kind = ?2 AND key > ?3",
      [
        .text(upstream.name), .text(ResourceID.Kind.page(of: table.list).rawValue),
        .text(ResourceID.Subject.pageKey(generation.pageCount)),
      ])
    guard missing > 0 else { return [] }
    return try bury(table, [.text(upstream.name), number, .instant(instant)])
  }

  private func bury(
    _ table: ListedTable, _ values: [ColumnValue]
  ) throws(StoreError) -> [CatalogChange.Difference] {
    let buried: [CatalogChange.Difference] = try withStatement(table.generation.bury) {
      statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(values)
        return try statement.mapRows { row throws(SQLiteError) in
          .init(.vanished, itemCode: try row.string(at: 0), itemName: try row.string(at: 1))
        }
      }
    }
    return buried.sorted { ($0.itemCode ?? "") < ($1.itemCode ?? "") }
  }
}
