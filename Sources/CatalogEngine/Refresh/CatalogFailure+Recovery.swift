import HTTPTransport

// What a failure means for what comes next: whether it counts against the upstream, and whether to try again.

extension CatalogFailure {
  /// Whether the upstream was not reached: what a breaker counts.
  ///
  /// A request that was never sent says nothing of the upstream, and neither does a status below 500: that is an
  /// answer (408, that the request took too long to arrive, is not).
  public var isUnreached: Bool {
    switch code {
    case .offline, .timeout: true
    case .transport: !Self.unsent.contains(detail ?? "")
    case .status: status.map { $0 >= 500 || $0 == 408 } ?? true
    default: false
    }
  }

  /// Whether the same call may well succeed in a while: what is retried.
  ///
  /// A fault, an answer that cannot be read or be true, a refused key and a spent quota are the upstream's considered
  /// answer; a refused certificate and a request that cannot be sent stay what they are.
  public var isTransient: Bool {
    switch code {
    case .offline, .timeout: true
    case .transport: Self.passing.contains(detail ?? "")
    case .status: status.map { [408, 425, 429].contains($0) || (500...599).contains($0) } ?? false
    default: false
    }
  }

  /// Whether it is the resource that fails, and not the way to the upstream, the key or the quota: what a sync sets
  /// aside for a while.
  public var isOfTheResource: Bool {
    switch code {
    case .fault, .undecodable, .implausible, .tooLarge: true
    case .status: !isTransient && !isUnreached
    default: false
    }
  }

  /// Whether the upstream was asked and did not manage to answer: what passes, unless it is one resource that does it.
  var isOutage: Bool { isUnreached && code != .offline }

  /// Whether the upstream asks to be left alone (429).
  var isTooManyRequests: Bool { code == .status && status == 429 }

  /// Whether the upstream was not even asked: the failure is nothing that it did.
  public var isRefusal: Bool {
    code == .keyMissing || code == .breakerOpen || (code == .quota && detail == Self.ledger)
  }

  /// The detail of a quota failure that the ledger tells, and not the upstream.
  static let ledger = "ledger"

  private var status: Int? { detail.flatMap { Int($0) } }

  private static let unsent: Set<String> = Set(
    [TransportError.Code.invalidRequest, .shutDown, .cancelled].map(\.rawValue))

  private static let passing: Set<String> = Set(
    [TransportError.Code.connectionRefused, .connectionLost, .truncatedBody, .other].map(\.rawValue))
}
