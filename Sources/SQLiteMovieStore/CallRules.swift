import CatalogEngine
import SQLiteBinding

// What a call needs before it may be made, and what becomes of it: each inside the one transaction of a write.

extension Connection {
  func admit(_ request: CallRequest) throws(StoreError) -> CallAdmission {
    let upstream = request.resource.upstream
    if let lease = request.syncLease, try !isCurrent(lease) { return .syncLeaseLost }
    if let lease = request.lease {
      guard try isCurrent(lease) else { return .leaseLost }
    } else if let other = try lease(request.resource.description), other.holds(at: request.instant),
      other.epoch != request.dead?.epoch
    {
      return .leased(other)
    }
    if let fetchedAt = try recordRow(of: request.resource)?.record.fetchedAt, fetchedAt != request.seen {
      return .answered
    }
    var breaker = try request.breaker.map { _ throws(StoreError) in try self.breaker(of: upstream) }
    if let breaker, breaker.refusal(at: request.instant) != nil { return .breakerOpen(breaker) }
    if let charge = request.charge {
      let use = try quotaUse(of: upstream, on: charge.day)
      guard use.exhaustedAt == nil, use.usedCount < charge.callCountMax else { return .quotaSpent(use) }
      try enterCall(to: upstream, on: charge.day)
    }
    let isProbe = breaker?.admit(at: request.instant, for: request.leaseDuration) ?? false
    if isProbe, let breaker { try saveBreaker(breaker, of: upstream) }
    return .admitted(try ticket(for: request, isProbe: isProbe))
  }

  private func ticket(for request: CallRequest, isProbe: Bool) throws(StoreError) -> CallTicket {
    let lease: Lease
    if let held = request.lease {
      lease = try renew(held, at: request.instant, for: request.leaseDuration)
    } else {
      let grant = try grantLease(
        LeaseRequest(
          name: request.resource.description, holder: request.holder, instant: request.instant,
          duration: request.leaseDuration, takingOver: request.dead))
      guard case .granted(let granted) = grant else {
        throw StoreError(.other, "the lease of \(request.resource) was taken within a transaction")
      }
      lease = granted
    }
    let syncLease = try request.syncLease.map { held throws(StoreError) in
      // For as long as it was granted, from now on.
      try renew(held, at: request.instant, for: held.expiresAt.duration(since: held.renewedAt))
    }
    return CallTicket(
      lease: lease, syncLease: syncLease, charge: request.charge, breaker: request.breaker, isProbe: isProbe)
  }

  /// Checks that a call's lease was not taken over.
  func requireLease(of ticket: CallTicket?) throws(StoreError) {
    guard let lease = ticket?.lease, try !isCurrent(lease) else { return }
    throw StoreError(
      .leaseLost, "the lease of \(lease.name) was taken over by another; what came too late was not written")
  }

  /// Closes the books of a call that succeeded.
  func settleSuccess(_ ticket: CallTicket, of upstream: UpstreamID) throws(StoreError) {
    try endLease(ticket.lease)
    if ticket.breaker != nil { try changeBreaker(of: upstream) { $0.succeed() } }
    if let day = ticket.turnedTo { try enterCall(to: upstream, on: day) }
  }

  /// Closes the books of a call that failed.
  ///
  /// - Returns: The breaker's state, if the call has one.
  func settle(
    _ failure: CatalogFailure, _ ticket: CallTicket, of upstream: UpstreamID, at instant: Timestamp
  ) throws(StoreError) -> BreakerState? {
    if !ticket.isToBeRepeated { try endLease(ticket.lease) }
    if let day = ticket.turnedTo { try enterCall(to: upstream, on: day) }
    if let charge = ticket.charge, failure.code == .quota {
      try exhaust(upstream, on: charge.day, count: charge.dailyCallCountMax, at: instant)
    }
    guard let policy = ticket.breaker else { return nil }
    return try changeBreaker(of: upstream) { breaker in
      if failure.isUnreached {
        breaker.fail(isProbe: ticket.isProbe, at: instant, policy: policy)
      } else {
        breaker.succeed()
      }
    }
  }
}
