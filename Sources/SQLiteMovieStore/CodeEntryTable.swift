import CatalogEngine
import SQLiteBinding

// The table `code_entry`: the rows of the lists of codes.

private let entries = OrderedListTable<CodeTable.Entry>(
  select: "SELECT code, name, name_english FROM code_entry WHERE resource_id = ?1 ORDER BY position",
  insert: "INSERT INTO code_entry VALUES (?1, ?2, ?3, ?4, ?5)",
  read: { row throws(SQLiteError) in
    CodeTable.Entry(
      code: try row.string(at: 0), name: try row.string(at: 1), nameEnglish: try row.optionalString(at: 2))
  },
  bind: { entry, statement throws(SQLiteError) in
    try statement.bind(entry.code, at: 3)
    try statement.bind(entry.name, at: 4)
    try statement.bind(entry.nameEnglish, at: 5)
  })

extension Connection {
  /// The list stored under a resource's number.
  func codeTable(_ list: CodeList, resource: Int64) throws(StoreError) -> CodeTable {
    CodeTable(list: list, entries: try load(entries, resource))
  }

  /// Puts a list of codes in the place of the one stored under the resource's number.
  func replaceCodeTable(_ table: CodeTable, resource: Int64) throws(StoreError) {
    try write("DELETE FROM code_entry WHERE resource_id = ?1", [.integer(Int(resource))])
    try save(table.entries, entries, resource)
  }
}
