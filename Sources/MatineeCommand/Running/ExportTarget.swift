import AtomicFileWriting
import SQLiteMovieStore

/// Where an export goes: standard output, or a file that is there whole or not at all.
///
/// It is made and used on the one thread that exports.
final class ExportTarget {
  private let standardOutput: any ByteOutput
  /// The file, until it has taken its place.
  private let file: PendingFile?

  /// - Throws: ``CommandError`` of status 74 if the file's place is taken, cannot be taken, or is a database's.
  init(
    of export: StoreExport, file path: String?, replaces: Bool, standardOutput: any ByteOutput
  ) throws(CommandError) {
    self.standardOutput = standardOutput
    if let path, let objection = export.objection(to: path) { throw CommandError(.storage, objection) }
    do throws(FileError) {
      file = try path.map { path throws(FileError) in
        try PendingFile(for: path, permissions: 0o666, replaces: replaces)
      }
    } catch {
      throw CommandError(error)
    }
  }

  /// Writes bytes; may block.
  func write(_ bytes: [UInt8]) throws {
    guard let file else { return try standardOutput.write(bytes) }
    do throws(FileError) { try file.write(bytes) } catch { throw CommandError(error) }
  }

  /// Has the file take its place; may block.
  func finish() throws {
    do throws(FileError) { try file?.moveIntoPlace() } catch { throw CommandError(error) }
  }
}

extension CommandError {
  /// What a file that cannot be written comes to.
  fileprivate init(_ error: FileError) {
    self.init(.storage, error.code == .exists ? "\(error.message); --force replaces it" : error.message)
  }
}
