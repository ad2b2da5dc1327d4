import Dispatch
import Foundation
import HTTPTransport
import HTTPTypes

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request and what has come of it, resumed exactly once.
///
/// `URLSession`'s own `data(for:)` deadlocks on Linux when its task is cancelled as it completes: both ends take
/// the same lock. So the continuation is this type's, whoever comes first resumes it, and `cancel()` is called
/// from another queue, where it holds up no one.
final class FoundationExchange: Sendable {
  private typealias Waiter = CheckedContinuation<HTTPReply, any Error>

  private struct State {
    var continuation: Waiter?
    var outcome: Result<HTTPReply, any Error>?
    var task: (any DataTask)?
    var response: URLResponse?
    var body: [UInt8] = []
  }

  let request: HTTPRequest
  private let limits: TransportLimits
  private let state = LockedValue(State())

  init(request: HTTPRequest, limits: TransportLimits) {
    self.request = request
    self.limits = limits
  }

  /// Starts `task` and waits for the outcome.
  func reply(of task: any DataTask) async throws -> HTTPReply {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<HTTPReply, any Error>? = state.withLock { state in
          if state.outcome == nil {
            state.continuation = continuation
            state.task = task
          }
          return state.outcome
        }
        if let outcome {
          continuation.resume(with: outcome)
          // Never started, it would stay in its session for good.
          Self.cancel(task)
        } else {
          task.resume()
        }
      }
    } onCancel: {
      abandon(TransportError.cancelled(request))
    }
  }

  // MARK: What the delegate tells

  /// Takes the head.
  func receive(_ response: URLResponse) {
    state.withLock { $0.response = response }
    // For HEAD the length speaks of content that does not follow.
    if request.method != .head, response.expectedContentLength > Int64(limits.responseByteCountMax) {
      abandon(TransportError.tooLarge(request, byteCountMax: limits.responseByteCountMax))
    }
  }

  /// Takes a part of the body.
  func receive(_ data: Data) {
    let excess: Int? = state.withLock { state in
      guard state.outcome == nil else { return nil }
      let limit = byteCountMax(of: state.response)
      guard data.count <= limit - state.body.count else { return limit }
      state.body.append(contentsOf: data)
      return nil
    }
    if let excess { abandon(TransportError.tooLarge(request, byteCountMax: excess)) }
  }

  /// Ends with what was received, or with why it was not.
  func complete(_ error: (any Error)?, response fallback: URLResponse?) {
    end(response: fallback, error: error)
  }

  @discardableResult
  private func end(response fallback: URLResponse?, error: (any Error)?) -> (any DataTask)? {
    let (response, body) = state.withLock { state in
      (state.response ?? fallback, state.body)
    }
    return finish(outcome(error, response, body: body, at: stage(response, bodyByteCount: body.count)))
  }

  /// Ends with what was received, and gives the task up: the answer to a challenge is the 401 itself.
  func completeUnchallenged(response fallback: URLResponse?) {
    if let task = end(response: fallback, error: nil) { Self.cancel(task) }
  }

  /// Ends because its session does.
  func shutDown() { abandon(TransportError.shutDown(request)) }

  // MARK: What a completion handler tells

  /// Ends with the arguments of a completion handler.
  func complete(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?, askedFor url: URL?) {
    if error == nil, let place = response?.url, let url, place.absoluteString != url.absoluteString {
      finish(.failure(TransportError.unexpectedRedirect(request)))
      return
    }
    let limit = byteCountMax(of: response)
    if let data, data.count > limit {
      finish(.failure(TransportError.tooLarge(request, byteCountMax: limit)))
      return
    }
    finish(outcome(error, response, body: data.map { Array($0) } ?? [], at: .unknown))
  }

  // MARK: The end

  private func outcome(
    _ error: (any Error)?, _ response: URLResponse?, body: [UInt8], at stage: ExchangeStage
  ) -> Result<HTTPReply, any Error> {
    if let error {
      return .failure(TransportError(foundation: error, for: request, at: stage))
    }
    guard let response = response as? HTTPURLResponse, let head = HTTPResponse(response) else {
      return .failure(
        TransportError(.malformedResponse, for: request, detail: "what came back is not HTTP"))
    }
    return .success(HTTPReply(head: head, body: body))
  }

  private func stage(_ response: URLResponse?, bodyByteCount: Int) -> ExchangeStage {
    guard let response else { return .beforeHead }
    // With a content coding, the bytes announced are not the bytes handed over, and there is no telling.
    let isCoded = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding") != nil
    return !isCoded && Int64(bodyByteCount) < response.expectedContentLength ? .bodyShort : .body
  }

  /// How many bytes a body may have as `URLSession` hands it over: decoded, if it was coded.
  private func byteCountMax(of response: URLResponse?) -> Int {
    let coding = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding")
    return coding == nil
      ? min(limits.responseByteCountMax, limits.decodedByteCountMax) : limits.decodedByteCountMax
  }

  /// Ends with an error, and the task with it.
  private func abandon(_ error: TransportError) {
    if let task = finish(.failure(error)) { Self.cancel(task) }
  }

  /// Ends once, and lets go of the task, whose completion handler holds this exchange: a circle otherwise.
  ///
  /// - Returns: The task, for whoever gives it up; `nil` if it was not started, or the exchange had ended before.
  @discardableResult
  private func finish(_ outcome: Result<HTTPReply, any Error>) -> (any DataTask)? {
    let (continuation, task) = state.withLock { state in
      guard state.outcome == nil else { return (nil, nil) as (Waiter?, (any DataTask)?) }
      state.outcome = outcome
      state.body = []
      defer {
        state.continuation = nil
        state.task = nil
      }
      return (state.continuation, state.task)
    }
    continuation?.resume(with: outcome)
    return task
  }

  private static func cancel(_ task: any DataTask) {
    DispatchQueue.global().async { task.cancel() }
  }
}
