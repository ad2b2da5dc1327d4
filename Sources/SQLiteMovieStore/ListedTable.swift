import CatalogEngine
import SQLiteBinding

// The tables of the long lists' rows, `listed_movie`, `listed_company` and `listed_person`: alike but for the columns
// that say something of the row. Each row hangs on its code, and is what the latest page that had it said.

/// The statements of one of these tables.
struct ListedTable: Sendable {
  /// The list whose rows it holds.
  let list: CatalogList
  /// The code and what else is read of a row, in the order in which a ``ListedRow`` takes them.
  let columns: String
  /// The rows of a page, by position: position, number, source, ``columns``. Parameters: page, upstream.
  let selectPage: String
  /// Enters a row, or what it says now, and gives its number. Parameters: upstream, source, the page's time, the
  /// generation or null, and the values of ``columns``.
  let upsert: String
  /// Brings back those rows of a page that were taken to be gone, and gives their codes. Parameters: upstream, page,
  /// source.
  let revive: String
  /// Marks a page's rows as met. Parameters: upstream, page, source, the generation or null.
  let meet: String
  /// How many rows a generation met, and how many it did not. Parameters: upstream, generation.
  let tally: String
  /// Takes the rows that a generation did not meet to be gone, and gives their codes and names. Parameters: upstream,
  /// generation, the time.
  let bury: String
  /// A row if there is any. Parameter: upstream.
  let selectAny: String
  /// The rows by code: when they went, ``columns``. Parameters: upstream, whether those are wanted that are gone, limit,
  /// offset.
  let selectListing: String
  /// How many rows there are. Parameters: upstream, whether those are counted that are gone.
  let count: String

  /// Makes the statements of a table whose columns are `upstream`, the code, the name, `others` and those of all lists.
  init(_ name: String, list: CatalogList, code: String, named title: String, others: [String]) {
    self.list = list
    let own = [code, title] + others
    columns = own.map { "\(name).\($0)" }.joined(separator: ", ")
    selectPage = """
      SELECT list_page_row.position, \(name).\(name)_id, \(name).source, \(columns)
      FROM list_page_row LEFT JOIN \(name) ON \(name).upstream = ?2 AND \(name).\(code) = list_page_row.code
      WHERE list_page_row.resource_id = ?1 ORDER BY list_page_row.position
      """
    upsert = """
      INSERT INTO \(name) (upstream, source, first_seen_at, generation_id, \(own.joined(separator: ", ")))
      VALUES (\((1...(4 + own.count)).map { "?\($0)" }.joined(separator: ", ")))
      ON CONFLICT (upstream, \(code)) DO UPDATE SET
        source = excluded.source, generation_id = coalesce(excluded.generation_id, generation_id),
        \(([title] + others).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
      RETURNING \(name)_id
      """
    // What is live is not touched by a recorded sample.
    let onPage = """
      upstream = ?1 AND \(code) IN (SELECT list_page_row.code FROM list_page_row WHERE resource_id = ?2)
        AND (?3 <> 'recorded' OR source = 'recorded')
      """
    revive = "UPDATE \(name) SET gone_at = NULL WHERE gone_at IS NOT NULL AND \(onPage) RETURNING \(code)"
    meet = """
      UPDATE \(name) SET source = ?3, generation_id = coalesce(?4, generation_id)
      WHERE \(onPage) AND (source <> ?3 OR generation_id IS NOT coalesce(?4, generation_id))
      """
    tally = """
      SELECT count(*) FILTER (WHERE generation_id = ?2),
        count(*) FILTER (WHERE generation_id IS NOT ?2 AND gone_at IS NULL)
      FROM \(name) WHERE upstream = ?1
      """
    bury = """
      UPDATE \(name) SET gone_at = ?3 WHERE upstream = ?1 AND generation_id IS NOT ?2 AND gone_at IS NULL
      RETURNING \(code), \(title)
      """
    selectAny = "SELECT 1 FROM \(name) WHERE upstream = ?1 LIMIT 1"
    selectListing = """
      SELECT \(name).gone_at, \(columns) FROM \(name) WHERE upstream = ?1 AND (?2 OR gone_at IS NULL)
      ORDER BY \(code) LIMIT ?3 OFFSET ?4
      """
    // Two counts that an index answers each, in place of one that would read every row.
    count = """
      SELECT count(*) - iif(?2, 0, (SELECT count(*) FROM \(name) WHERE upstream = ?1 AND gone_at IS NOT NULL))
      FROM \(name) WHERE upstream = ?1
      """
  }
}

/// A row of a long list, and how it goes into its table and comes out of it.
protocol ListedRow: Hashable, Sendable {
  static var table: ListedTable { get }

  /// The row's code, as text.
  var codeText: String { get }

  /// Reads the table's ``ListedTable/columns``, the first of which is column `first`; the lists that hang on the row
  /// stay empty.
  init(_ row: borrowing Row, from first: Int) throws(SQLiteError)

  /// Binds the values of the table's ``ListedTable/columns``, the first of which is parameter `first`.
  func bind(to statement: inout Statement, from first: Int) throws(SQLiteError)

  /// A page of such rows as the value that is stored.
  static func value(_ page: CatalogPage<Self>) -> CatalogValue

  /// Fills in the lists that hang on the rows of a page.
  static func loadLists(
    of rows: inout [KnownRow<Self>], page: Int64, upstream: UpstreamID, in connection: Connection
  ) throws(StoreError)

  /// Writes the lists that hang on rows which were just written.
  static func saveLists(of rows: [WrittenRow<Self>], in connection: Connection) throws(StoreError)
}

// Nothing hangs on most.
extension ListedRow {
  static func loadLists(
    of rows: inout [KnownRow<Self>], page: Int64, upstream: UpstreamID, in connection: Connection
  ) throws(StoreError) {}

  static func saveLists(of rows: [WrittenRow<Self>], in connection: Connection) throws(StoreError) {}
}

/// What is known of a row of a page.
struct KnownRow<Item: ListedRow> {
  let position: Int
  /// The row's number; `nil` if it is not known.
  let number: Int64?
  let provenance: Provenance?
  /// The row; `nil` if it is not known, or cannot be read.
  var item: Item?

  /// Reads what ``ListedTable/selectPage`` selects.
  init(_ row: borrowing Row) throws(SQLiteError) {
    position = try row.int(at: 0)
    number = try row.optionalInt64(at: 1)
    provenance = try row.optionalString(at: 2).map { Provenance($0) }
    guard number != nil else { return }
    do throws(SQLiteError) {
      item = try Item(row, from: 3)
    } catch {
      guard error.code == .corrupt else { throw error }
    }
  }
}

/// A row that was written, and whether there was one before it.
struct WrittenRow<Item: ListedRow> {
  let number: Int64
  let item: Item
  let isFirst: Bool
}
