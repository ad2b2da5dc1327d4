public import CatalogEngine
import SQLiteBinding

/// What a backup of a store's file holds.
public struct StoreBackup: Hashable, Sendable {
  /// One table of the backup.
  public struct Table: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// How many rows it has.
    public var rowCount: Int

    /// Makes a table.
    public init(name: String, rowCount: Int) {
      self.name = name
      self.rowCount = rowCount
    }
  }

  /// The backup's absolute path, without links.
  public var path: String
  /// Its size in bytes.
  public var byteCount: Int64
  /// Its schema's version: that of the file it was made of, which is not migrated for it.
  public var schemaVersion: Int
  /// Its tables, by name.
  public var tables: [Table]

  /// Makes what a backup holds.
  public init(path: String, byteCount: Int64, schemaVersion: Int, tables: [Table]) {
    self.path = path
    self.byteCount = byteCount
    self.schemaVersion = schemaVersion
    self.tables = tables
  }
}

extension SQLiteMovieStore {
  /// Copies a store's file as it is at one moment, while others may read and write it.
  ///
  /// The copy is a database of its own, which ``Location/file(_:)`` takes. It is read through for damage before it
  /// takes its place, in one step and for good: whatever happens, there is the whole of it or what was there before.
  /// Nobody is waited for; the source's write-ahead log cannot be cut while the copy is made.
  ///
  /// - Parameters:
  ///   - path: The store's file; it need not be open.
  ///   - target: The path of the copy, which only its owner may read.
  ///   - replacing: Whether a file at that path is to be replaced.
  ///   - onProgress: Called now and then on another thread, with the part that is copied, from 0 to 1.
  /// - Throws: ``StoreError``: `exists`, `full`, `corrupt` if the store is damaged, `unreadable` if one of the two
  ///   cannot be had; and one of code `other` if the task is cancelled. Nothing is left of the copy then.
  public static func backUp(
    _ path: String, to target: String, replacing: Bool = false,
    onProgress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(StoreError) -> StoreBackup {
    let backup = DatabaseBackup(of: path, to: target, replaces: replacing, migrator: .movies)
    do throws(SQLiteError) {
      let report = try await backup.run { progress in
        onProgress(
          progress.pageCount == 0 ? 1 : Double(progress.copiedPageCount) / Double(progress.pageCount))
      }
      return StoreBackup(
        path: report.path, byteCount: report.byteCount, schemaVersion: report.schemaVersion,
        tables: report.tables.map { StoreBackup.Table(name: $0.name, rowCount: $0.rowCount) })
    } catch {
      throw StoreError(error)
    }
  }
}
