import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a `URLSession` handed back.
struct Received: Sendable {
  let response: HTTPURLResponse?
  let body: Data?
  let error: (any Error)?

  var text: String? { body.map { String(decoding: $0, as: UTF8.self) } }
  var urlErrorCode: URLError.Code? { (error as? URLError)?.code }
}

extension URLSession {
  /// Loads through a data task, which unlike `data(for:)` survives cancellation on Linux.
  func load(_ request: URLRequest) async -> Received {
    await withCheckedContinuation { continuation in
      dataTask(with: request) { data, response, error in
        continuation.resume(
          returning: Received(response: response as? HTTPURLResponse, body: data, error: error))
      }.resume()
    }
  }

  func load(_ address: String) async throws -> Received {
    await load(URLRequest(url: try #require(URL(string: address))))
  }
}

func get(_ path: String) -> HTTPRequest {
  HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: path)
}

func post(_ path: String) -> HTTPRequest {
  HTTPRequest(method: .post, scheme: "https", authority: "a.example", path: path)
}

extension HTTPReply {
  var text: String { String(decoding: body, as: UTF8.self) }
}
