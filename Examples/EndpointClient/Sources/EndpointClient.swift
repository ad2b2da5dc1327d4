import Foundation
import Synchronization
public import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A small client of a user's own: it turns an ``Endpoint`` into a request and the answer into a value.
///
/// The session comes in from outside, so that a test can put any other in its place.
public struct EndpointClient: Sendable {
  private let session: any DataTaskSession

  /// Makes a client; `URLSession.shared` and its like are sessions.
  public init(session: any DataTaskSession) { self.session = session }

  /// Asks, and calls `completion` once with a value or an error.
  ///
  /// - Returns: What cancels the call; `nil` if nothing was sent.
  @discardableResult
  public func send<Response>(
    _ endpoint: Endpoint<Response>,
    completion: @escaping @Sendable (Response?, EndpointError?) -> Void
  ) -> (any DataTask)? {
    send(endpoint) { (result: Result<Response, EndpointError>) in
      switch result {
      case .success(let response): completion(response, nil)
      case .failure(let error): completion(nil, error)
      }
    }
  }

  /// Asks, and calls `completion` once with a result.
  ///
  /// - Returns: What cancels the call; `nil` if nothing was sent.
  @discardableResult
  public func send<Response>(
    _ endpoint: Endpoint<Response>,
    completion: @escaping @Sendable (Result<Response, EndpointError>) -> Void
  ) -> (any DataTask)? {
    let request: URLRequest
    do throws(EndpointError) {
      request = try endpoint.urlRequest()
    } catch {
      completion(.failure(error))
      return nil
    }
    let task = session.dataTask(with: request) { data, response, error in
      completion(endpoint.result(data, response, error))
    }
    task.resume()
    return task
  }

  /// Asks and waits; cancelling the calling task cancels the call.
  public func response<Response>(
    to endpoint: Endpoint<Response>
  ) async throws(EndpointError) -> Response {
    guard !Task.isCancelled else { throw .cancelled }
    let call = CancellableCall()
    let result: Result<Response, EndpointError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        call.task = send(endpoint) { (result: Result<Response, EndpointError>) in
          continuation.resume(returning: result)
        }
      }
    } onCancel: {
      call.cancel()
    }
    return try result.get()
  }
}

/// A call that may be cancelled before there is a task for it.
private final class CancellableCall: Sendable {
  private let state = Mutex<(task: (any DataTask)?, isCancelled: Bool)>((nil, false))

  var task: (any DataTask)? {
    get { state.withLock { $0.task } }
    set {
      let isCancelled = state.withLock { state in
        state.task = newValue
        return state.isCancelled
      }
      if isCancelled { newValue?.cancel() }
    }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}

extension Endpoint {
  fileprivate func urlRequest() throws(EndpointError) -> URLRequest {
    guard var components = URLComponents(string: base + path), components.host?.isEmpty == false,
      components.scheme == "https" || components.scheme == "http"
    else { throw .invalidURL(base + path) }
    if !query.isEmpty {
      components.queryItems = query.map { URLQueryItem(name: $0.name, value: $0.value) }
    }
    guard let url = components.url else { throw .invalidURL(base + path) }
    var request = URLRequest(url: url)
    request.httpMethod = method.rawValue
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    guard let body else { return request }
    do {
      request.httpBody = try JSONEncoder().encode(body)
    } catch {
      throw .encoding(error)
    }
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    return request
  }

  fileprivate func result(
    _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
  ) -> Result<Response, EndpointError> {
    if let error {
      return .failure((error as? URLError)?.code == .cancelled ? .cancelled : .transport(error))
    }
    guard let response = response as? HTTPURLResponse else { return .failure(.notHTTP) }
    guard (200..<300).contains(response.statusCode) else {
      return .failure(.status(code: response.statusCode, body: data ?? Data()))
    }
    if let nothing = NoContent() as? Response { return .success(nothing) }
    guard let data, !data.isEmpty else { return .failure(.noData) }
    do {
      return .success(try JSONDecoder().decode(Response.self, from: data))
    } catch {
      return .failure(.decoding(error))
    }
  }
}
