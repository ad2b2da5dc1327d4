import CatalogEngine
import SQLiteBinding

// Lists that hang on a row: tables of the form (the row's number, position, columns of the element).

/// A list's two statements, and how an element goes into columns and comes out of them.
struct OrderedListTable<Element>: Sendable {
  /// The elements of the row whose number is parameter 1, by position.
  let select: String
  /// Inserts an element: the row's number, the position, the element's columns.
  let insert: String
  let read: @Sendable (borrowing Row) throws(SQLiteError) -> Element
  /// Binds an element's columns, the first of which is parameter 3.
  let bind: @Sendable (Element, inout Statement) throws(SQLiteError) -> Void
}

extension OrderedListTable<String> {
  /// A list of texts, in one column.
  static func texts(select: String, insert: String) -> OrderedListTable {
    OrderedListTable(
      select: select, insert: insert, read: { row throws(SQLiteError) in try row.string(at: 0) },
      bind: { text, statement throws(SQLiteError) in try statement.bind(text, at: 3) })
  }
}

extension OrderedListTable<FilmCredit> {
  /// A filmography, in the columns movie_code, title and part of `table`.
  static func filmography(_ table: String) -> OrderedListTable {
    OrderedListTable(
      select: "SELECT movie_code, title, part FROM \(table) WHERE resource_id = ?1 ORDER BY position",
      insert: "INSERT INTO \(table) VALUES (?1, ?2, ?3, ?4, ?5)",
      read: { row throws(SQLiteError) in
        FilmCredit(
          movieCode: try row.movieCode(at: 0), title: try row.string(at: 1),
          part: try row.optionalString(at: 2))
      },
      bind: { credit, statement throws(SQLiteError) in
        try statement.bind(credit.movieCode.text, at: 3)
        try statement.bind(credit.title, at: 4)
        try statement.bind(credit.part, at: 5)
      })
  }
}

extension Connection {
  /// The elements that hang on a row.
  func load<Element>(_ table: OrderedListTable<Element>, _ number: Int64) throws(StoreError) -> [Element] {
    try withStatement(table.select) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        try statement.bind(number, at: 1)
        return try statement.mapRows(table.read)
      }
    }
  }

  /// Writes the elements of a row that has none yet.
  func save<Element>(
    _ elements: [Element], _ table: OrderedListTable<Element>, _ number: Int64
  ) throws(StoreError) {
    try save([(number, elements)], table)
  }

  /// Writes the elements of rows that have none yet.
  func save<Element>(
    _ lists: [(number: Int64, elements: [Element])], _ table: OrderedListTable<Element>
  ) throws(StoreError) {
    guard lists.contains(where: { !$0.elements.isEmpty }) else { return }
    try withStatement(table.insert) { statement throws(StoreError) in
      try statement.withSQLite { statement throws(SQLiteError) in
        for (number, elements) in lists {
          for (index, element) in elements.enumerated() {
            try statement.bind(number, at: 1)
            try statement.bind(index + 1, at: 2)
            try table.bind(element, &statement)
            try statement.run()
          }
        }
      }
    }
  }
}
