import HTTPTransport
import HTTPTypes

extension CatalogFailure {
  /// The failure that an error of a session amounts to, for whoever asked for `request`.
  ///
  /// Of an error that is no ``TransportError`` only the type is told: its text may hold a URL, and the URL a key.
  init(of error: any Error, asking request: HTTPRequest) {
    switch error {
    case let failure as CatalogFailure: self = failure
    case let error as TransportError:
      self.init(Self.code(for: error.code), error.description, detail: error.code.rawValue)
    default:
      let place = TransportError(.other, for: request, detail: "the session threw \(type(of: error))")
      self.init(.transport, place.description, detail: place.code.rawValue)
    }
  }

  private static func code(for code: TransportError.Code) -> Code {
    switch code {
    case .offline, .hostNotFound: .offline
    case .timeout: .timeout
    case .tooLarge: .tooLarge
    default: .transport
    }
  }
}
