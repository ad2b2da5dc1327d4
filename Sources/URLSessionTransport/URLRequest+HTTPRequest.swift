import Foundation
import HTTPTransport
import HTTPTypes

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
  /// The request in Foundation's type.
  init(_ request: HTTPRequest, to destination: Destination, body: [UInt8], limits: TransportLimits) throws {
    guard let url = URL(string: destination.url) else {
      throw TransportError(.invalidRequest, for: request, detail: "Foundation makes no URL of it")
    }
    if request.method == .get, !body.isEmpty {
      throw TransportError(.invalidRequest, for: request, detail: "URLSession sends no content with GET")
    }
    self.init(url: url)
    httpMethod = request.method.rawValue
    for field in request.headerFields { addValue(field.value, forHTTPHeaderField: field.name.rawName) }
    if request.headerFields[.userAgent] == nil {
      setValue(UserAgent.value, forHTTPHeaderField: "User-Agent")
    }
    if !body.isEmpty { httpBody = Data(body) }
    cachePolicy = .reloadIgnoringLocalCacheData
    // Foundation cuts this to whole seconds, below one to none at all. The true deadline is kept by the caller;
    // this one only frees a task that would never end.
    timeoutInterval = TimeInterval(limits.total.components.seconds.clamped(to: 0...86_400)) + 2
  }
}

extension Int64 {
  fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

extension HTTPResponse {
  /// The head in the seam's type; `nil` if its status is out of range.
  init?(_ response: HTTPURLResponse) {
    guard (100...999).contains(response.statusCode) else { return nil }
    var fields = HTTPFields()
    for (name, value) in response.allHeaderFields {
      guard let name = name as? String, let fieldName = HTTPField.Name(name) else { continue }
      fields.append(HTTPField(name: fieldName, value: value as? String ?? ""))
    }
    self.init(status: Status(code: response.statusCode), headerFields: fields)
  }
}
