import HTTPTransport
import HTTPTypes

extension Answer {
  /// Gives the answer in its time, under the request's limits.
  func perform(for sent: SentRequest, clock: any Clock<Duration>) async throws -> HTTPReply {
    func failure(_ code: TransportError.Code, _ detail: String) -> TransportError {
      TransportError(code, for: sent.request, detail: detail)
    }
    guard !Task.isCancelled else {
      throw failure(.cancelled, "The task was cancelled before the answer.")
    }
    do {
      let late = "The answer would have come after the deadline of \(sent.limits.total)."
      if timing.delay > sent.limits.total {
        try await clock.sleep(for: sent.limits.total)
        throw failure(.timeout, late)
      }
      if timing.delay > .zero { try await clock.sleep(for: timing.delay) }
      try await timing.gate?.pass()
      if timing.awaitsDeadline { try await clock.sleep(for: sent.limits.total - timing.delay) }
      let reply = try await produce(sent)
      let byteCountMax = sent.limits.byteCountMax(of: reply)
      guard reply.body.count <= byteCountMax else {
        throw failure(.tooLarge, "The body has more than \(byteCountMax) bytes.")
      }
      if let throttle = timing.throttle {
        let rest = sent.limits.total - timing.delay
        guard try await throttle.pass(byteCount: reply.body.count, within: rest, clock: clock)
        else {
          throw failure(.timeout, late)
        }
      }
      guard !Task.isCancelled else {
        throw failure(.cancelled, "The task was cancelled after the answer.")
      }
      return reply
    } catch is CancellationError where Task.isCancelled {
      throw failure(.cancelled, "The task was cancelled during the answer.")
    }
  }
}

extension TransportLimits {
  /// The most bytes that the body of `reply` may have: without a content coding, what is on the wire is what
  /// is there.
  fileprivate func byteCountMax(of reply: HTTPReply) -> Int {
    reply.head.headerFields.contains(.contentEncoding)
      ? decodedByteCountMax : min(responseByteCountMax, decodedByteCountMax)
  }
}
