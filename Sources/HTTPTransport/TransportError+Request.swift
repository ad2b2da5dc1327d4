public import HTTPTypes

extension TransportError {
  /// Makes an error that names where `request` was going.
  public init(_ code: Code, for request: HTTPRequest, detail: String) {
    self.init(code, host: request.authority, path: request.path, detail: detail)
  }
}
