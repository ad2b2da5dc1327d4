import CatalogEngine
import Foundation
import SQLiteMovieStore
import Testing

/// The stores that the contract holds for.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory
  case file

  var testDescription: String { "in \(rawValue)" }

  /// Lends a new, empty store of this kind, and what opens the same file again.
  func withStore<Result>(
    _ body: (SQLiteMovieStore) async throws -> Result
  ) async throws -> Result {
    try await withTemporaryFolder { folder in
      let store = try await SQLiteMovieStore(self == .memory ? .inMemory : .file(folder + "/movies.db"))
      do {
        let result = try await body(store)
        await store.close()
        return result
      } catch {
        await store.close()
        throw error
      }
    }
  }
}

/// Lends a new folder and removes it with all that is in it.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "matinee-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder.path(percentEncoded: false))
}
