import CatalogEngine
package import SQLiteBinding

// A store's closures throw its own error throughout; what SQLite says is turned into it here, and only here.
extension StoreError: SQLiteErrorConvertible {
  package init(_ error: SQLiteError) {
    let code = Self.code(for: error.code)
    let remedy = code == .full ? "; nothing stored is lost: make room on its disk, and try again" : ""
    self.init(code, error.description + remedy)
  }

  private static func code(for code: ResultCode) -> Code {
    switch code {
    case .foreignDatabase: return .foreign
    case .newerSchema: return .newer
    case .closed: return .closed
    case .writeQueueFull: return .busy
    case .fileExists: return .exists
    default: break
    }
    switch code.primary {
    case .notADatabase: return .notADatabase
    case .corrupt: return .corrupt
    case .full: return .full
    case .readOnly: return .readOnly
    case .busy, .locked, .lockProtocol: return .busy
    case .inputOutput: return .io
    case .cannotOpen, .permission, .authorization: return .unreadable
    default: return .other
    }
  }
}
