/// What a caller asks the store for before it calls the upstream: the leave to do so, for one call.
///
/// One transaction decides over everything that processes sharing a store have to agree on (who is at work on the
/// resource, whether the upstream is taken to be down, whether the day has calls left) and enters the call in the
/// ledger. The call may be made once that transaction is committed.
public struct CallRequest: Hashable, Sendable {
  /// What the upstream is to be asked for.
  public var resource: ResourceID
  /// The caller.
  public var holder: LeaseHolder
  /// The present instant.
  public var instant: Timestamp
  /// How long the resource's lease is to hold, from `instant`.
  public var leaseDuration: Duration
  /// When the answer was fetched that the caller has seen stored; `nil` if it has seen none. Where another one is
  /// stored by now there is no need to call.
  public var seen: Timestamp?
  /// The resource's lease if the caller has it already, for a call before: it is renewed.
  public var lease: Lease?
  /// A lease that is to be taken over although it has not ended: its holder is known to be dead.
  public var dead: Lease?
  /// The lease of the sync that the call is part of: it is renewed too, and must not have been taken over.
  public var syncLease: Lease?
  /// What the call is charged to; `nil` if the upstream is not rationed.
  public var charge: QuotaCharge?
  /// The rules of the upstream's breaker; `nil` if it has none.
  public var breaker: BreakerPolicy?

  /// Makes a request.
  public init(
    resource: ResourceID, holder: LeaseHolder, instant: Timestamp, leaseDuration: Duration,
    seen: Timestamp? = nil,
    lease: Lease? = nil, takingOver dead: Lease? = nil, syncLease: Lease? = nil, charge: QuotaCharge? = nil,
    breaker: BreakerPolicy? = nil
  ) {
    self.resource = resource
    self.holder = holder
    self.instant = instant
    self.leaseDuration = leaseDuration
    self.seen = seen
    self.lease = lease
    self.dead = dead
    self.syncLease = syncLease
    self.charge = charge
    self.breaker = breaker
  }
}

/// What a call is charged to.
public struct QuotaCharge: Hashable, Sendable {
  /// The day of the ledger, see ``QuotaPolicy/day(at:)``.
  public var day: CalendarDay
  /// The calls of the day, all callers together, above which this caller must not go.
  public var callCountMax: Int
  /// All the calls that the day has.
  public var dailyCallCountMax: Int

  /// Makes a charge.
  public init(day: CalendarDay, callCountMax: Int, dailyCallCountMax: Int) {
    self.day = day
    self.callCountMax = callCountMax
    self.dailyCallCountMax = dailyCallCountMax
  }
}

/// What the ledger has entered for one upstream and day.
public struct QuotaUse: Hashable, Sendable {
  /// How many calls were entered, made or lost in a crash; at least the day's limit once that is known to be reached.
  public var usedCount: Int
  /// When the upstream said that the day's calls are used up; `nil` if it did not.
  public var exhaustedAt: Timestamp?

  /// Makes an entry.
  public init(usedCount: Int = 0, exhaustedAt: Timestamp? = nil) {
    self.usedCount = usedCount
    self.exhaustedAt = exhaustedAt
  }
}

/// The store's answer to a ``CallRequest``.
public enum CallAdmission: Hashable, Sendable {
  /// The call is entered in the ledger and may be made, once.
  case admitted(CallTicket)
  /// Another answer is stored than the one the caller has seen.
  case answered
  /// Somebody else is at work on the resource.
  case leased(Lease)
  /// The caller's own lease was taken over.
  case leaseLost
  /// The lease of the sync that the call is part of was taken over.
  case syncLeaseLost
  /// The upstream is taken to be down.
  case breakerOpen(BreakerState)
  /// The caller's share of the day's calls is used up.
  case quotaSpent(QuotaUse)
}

/// What a caller has in hand for one call, to be given back with what came of it.
public struct CallTicket: Hashable, Sendable {
  /// The resource's lease.
  public var lease: Lease
  /// The lease of the sync that the call is part of, renewed.
  public var syncLease: Lease?
  /// What the call was charged to; `nil` if the upstream is not rationed.
  public var charge: QuotaCharge?
  /// A day that the call is charged to as well, when it is given back: the day turned while it was under way, and
  /// nobody knows in which of the two the upstream counted it.
  public var turnedTo: CalendarDay?
  /// The rules of the upstream's breaker; `nil` if it has none, or has been told of the call already.
  public var breaker: BreakerPolicy?
  /// Whether the call is the one by which an open breaker finds out whether the upstream is back.
  public var isProbe: Bool
  /// Whether another call of the same caller follows, so that the lease stays.
  public var isToBeRepeated: Bool

  /// Makes a ticket.
  public init(
    lease: Lease, syncLease: Lease? = nil, charge: QuotaCharge? = nil, breaker: BreakerPolicy? = nil,
    isProbe: Bool = false
  ) {
    self.lease = lease
    self.syncLease = syncLease
    self.charge = charge
    self.breaker = breaker
    self.isProbe = isProbe
    isToBeRepeated = false
  }
}
