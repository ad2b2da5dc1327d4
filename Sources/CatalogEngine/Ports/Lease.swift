/// The right to work on one thing for a bounded time, granted by the store to one holder at a time.
///
/// A lease ends by itself, so that a holder that was killed blocks nobody for good; and then the danger is a holder that
/// was merely stopped, wakes up and goes on. So each grant has an epoch of its own, greater than any before: what a
/// holder writes is checked against its epoch in the same transaction, and refused once somebody else has taken over.
public struct Lease: Hashable, Sendable {
  /// What it is a lease of: a resource's name, or `sync/` and an upstream's.
  public var name: String
  /// Who holds it.
  public var holder: LeaseHolder
  /// The number of this grant; no two grants of a store have the same.
  public var epoch: Int64
  /// When it was granted or last renewed.
  public var renewedAt: Timestamp
  /// When it ends unless it is renewed.
  public var expiresAt: Timestamp

  /// Makes a lease.
  public init(name: String, holder: LeaseHolder, epoch: Int64, renewedAt: Timestamp, expiresAt: Timestamp) {
    self.name = name
    self.holder = holder
    self.epoch = epoch
    self.renewedAt = renewedAt
    self.expiresAt = expiresAt
  }

  /// How far before its renewal a lease still holds: clocks of two machines differ.
  public static let clockSkewMax: Duration = .seconds(5)

  /// Whether it holds at `now`.
  ///
  /// A lease from the future does not: the clock was set back since, and would make it immortal.
  public func holds(at now: Timestamp) -> Bool {
    now < expiresAt && now >= renewedAt.advanced(by: .zero - Self.clockSkewMax)
  }
}

/// What came of asking for a lease.
public enum LeaseGrant: Hashable, Sendable {
  /// It is the asker's.
  case granted(Lease)
  /// It is somebody else's.
  case held(Lease)
}

/// What a lease is asked for with.
public struct LeaseRequest: Hashable, Sendable {
  /// What to lease.
  public var name: String
  /// Who asks.
  public var holder: LeaseHolder
  /// The present instant.
  public var instant: Timestamp
  /// For how long, from `instant`.
  public var duration: Duration
  /// A lease that is to be taken over although it has not ended: its holder is known to be dead.
  public var dead: Lease?

  /// Makes a request.
  public init(
    name: String, holder: LeaseHolder, instant: Timestamp, duration: Duration, takingOver dead: Lease? = nil
  ) {
    self.name = name
    self.holder = holder
    self.instant = instant
    self.duration = duration
    self.dead = dead
  }
}
