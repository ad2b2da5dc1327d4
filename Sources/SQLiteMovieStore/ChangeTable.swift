import CatalogEngine
import SQLiteBinding

// The table `change`: what was found to have changed, in the transaction that stored it.

/// How many changes are kept, the latest.
let changeCountMax: Int64 = 100_000

/// After how many changes the oldest are dropped, so many at a time: most commits drop none.
let changeDropInterval: Int64 = 1000

private let insertChange = """
  INSERT INTO change
    (at, upstream, resource_kind, resource_key, revision, kind, item_code, item_name, position_before,
    position_after, fields)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
  """

extension Connection {
  /// Enters what an answer's revision brought.
  func saveChanges(
    _ differences: [CatalogChange.Difference], of answer: FetchedAnswer, revision: Int
  ) throws(StoreError) {
    guard !differences.isEmpty else { return }
    let subject = answer.resource.subject
    try runEach(insertChange, differences) { difference, statement throws(SQLiteError) in
      try statement.bind(answer.fetchedAt.millisecondsSinceEpoch, at: 1)
      try statement.bind(answer.resource.upstream.name, at: 2)
      try statement.bind(subject.kind.rawValue, at: 3)
      try statement.bind(subject.key, at: 4)
      try statement.bind(revision, at: 5)
      try statement.bind(difference.kind.rawValue, at: 6)
      try statement.bind(difference.itemCode, at: 7)
      try statement.bind(difference.itemName, at: 8)
      try statement.bind(difference.positionBefore, at: 9)
      try statement.bind(difference.positionAfter, at: 10)
      try statement.bind(
        difference.fields.isEmpty ? nil : difference.fields.joined(separator: ","), at: 11)
    }
    let last = lastInsertedRowID
    guard last / changeDropInterval != (last - Int64(differences.count)) / changeDropInterval else { return }
    try write("DELETE FROM change WHERE change_id <= ?1", [.integer(Int(last - changeCountMax))])
  }

  func changes(_ query: ChangeQuery, upstream: UpstreamID) throws(StoreError) -> [CatalogChange] {
    let kinds = query.kinds.isEmpty ? Set(CatalogChange.Kind.allCases) : query.kinds
    return try withStatement(
      """
      SELECT change_id, at, resource_kind, resource_key, revision, kind, item_code, item_name, position_before,
        position_after, fields
      FROM change WHERE change_id > ?1 AND at >= ?2 AND upstream = ?3 AND kind IN (?4, ?5, ?6, ?7)
      ORDER BY change_id LIMIT ?8
      """
    ) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(query.after?.rawValue ?? 0, at: 1)
        try statement.bind(query.since?.millisecondsSinceEpoch ?? .min, at: 2)
        try statement.bind(upstream.name, at: 3)
        for (index, kind) in CatalogChange.Kind.allCases.enumerated() {
          try statement.bind(kinds.contains(kind) ? kind.rawValue : nil, at: 4 + index)
        }
        try statement.bind(query.limit, at: 8)
        return try statement.mapRows { row throws(SQLiteError) in try CatalogChange(row, upstream: upstream) }
      }
    }
  }
}

extension CatalogChange {
  fileprivate init(_ row: borrowing Row, upstream: UpstreamID) throws(SQLiteError) {
    let (resourceKind, key) = (try row.string(at: 2), try row.string(at: 3))
    guard let resourceKind = ResourceID.Kind(rawValue: resourceKind),
      let subject = ResourceID.Subject(kind: resourceKind, key: key)
    else { throw .unreadable("a change of '\(resourceKind)/\(key)'") }
    let name = try row.string(at: 5)
    guard let kind = Kind(rawValue: name) else { throw .unreadable("a change that is '\(name)'") }
    let fields = try row.optionalString(at: 10)
    self.init(
      id: ID(rawValue: try row.int64(at: 0)), at: Timestamp(millisecondsSinceEpoch: try row.int64(at: 1)),
      resource: ResourceID(upstream: upstream, subject: subject), revision: try row.int(at: 4),
      difference: Difference(
        kind, itemCode: try row.optionalString(at: 6), itemName: try row.optionalString(at: 7),
        positionBefore: try row.optionalInt(at: 8), positionAfter: try row.optionalInt(at: 9),
        fields: fields?.split(separator: ",").map(String.init) ?? []))
  }
}
