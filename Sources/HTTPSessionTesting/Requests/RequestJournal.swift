import HTTPTransport

/// A spy: what was asked, in order, with bodies.
///
/// Every session of this kit keeps one. Use it to check afterwards what the code under test sent; to say
/// beforehand what it must send, use a ``MockSession``.
public final class RequestJournal: Sendable {
  /// The most requests that are kept; the oldest are dropped beyond it, ``count`` goes on counting.
  public let requestCountMax: Int

  private struct State {
    var requests: [SentRequest] = []
    var droppedCount = 0
    var arrivals = WaitList()
    var totalCount: Int { droppedCount + requests.count }
  }

  private let state = LockedValue(State())

  /// Makes an empty journal.
  ///
  /// - Parameter requestCountMax: How many requests to keep; at least 1.
  public init(requestCountMax: Int = 65_536) {
    precondition(requestCountMax > 0, "A journal keeps at least one request.")
    self.requestCountMax = requestCountMax
  }

  /// The requests kept, oldest first.
  public var requests: [SentRequest] { state.withLock { $0.requests } }

  /// How many requests were made, those no longer kept included.
  public var count: Int { state.withLock { $0.totalCount } }

  /// The latest request; `nil` if there was none.
  public var last: SentRequest? { state.withLock { $0.requests.last } }

  /// The kept requests that `matcher` accepts, oldest first.
  public func requests(matching matcher: RequestMatcher) -> [SentRequest] {
    requests.filter { matcher.evaluate($0).isMatch }
  }

  /// How many of the kept requests `matcher` accepts.
  public func count(matching matcher: RequestMatcher) -> Int { requests(matching: matcher).count }

  /// Adds one request; for sessions of your own.
  public func record(_ request: SentRequest) {
    let ready = state.withLock { state in
      state.requests.append(request)
      if state.requests.count > requestCountMax {
        // Half at once, so that a long run does not shift the array at every request.
        let surplus = state.requests.count - requestCountMax + requestCountMax / 2
        state.requests.removeFirst(surplus)
        state.droppedCount += surplus
      }
      return state.arrivals.takeReady(count: state.totalCount)
    }
    ready.resumeAll()
  }

  /// Waits until at least `count` requests were made in all; returns at once if they were.
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled first.
  public func waitForRequests(count: Int) async throws {
    try await WaitList.wait(
      count: count,
      enter: { waiter in
        state.withLock { state in
          state.totalCount >= count ? .ready : state.arrivals.add(waiter)
        }
      },
      leave: { ticket in self.state.withLock { $0.arrivals.remove(ticket) } })
  }
}
