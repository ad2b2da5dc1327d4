import Logging

// What comes after a call that failed: its record, and whether and when it is made again.

extension Refresher {
  /// Records a failed call and waits until it may be made again.
  ///
  /// - Returns: The failure, stamped, once the wait is over.
  /// - Throws: The failure, if it is not to be made again.
  func recover(from failure: CatalogFailure, _ flight: inout Flight) async throws(RefreshError)
    -> CatalogFailure
  {
    var failure = failure
    let now = clock.wallTime
    failure.at = now
    let wait = retryWait(after: failure, flight)
    failure.setAsideUntil = await setAsideUntil(after: failure, flight, isLast: wait == nil, at: now)
    flight.ticket?.isToBeRepeated = wait != nil
    // That one resource fails again and again says nothing new of the upstream, while others can be had.
    if failure.isUnreached, flight.retryCount > 0, flight.ticket?.isProbe != true,
      flight.purpose.context?.answers.hasUsefulAnswer == true
    {
      flight.ticket?.breaker = nil
    }
    let breaker = await record(failure, &flight, at: now)
    guard let wait else { throw .upstream(told(failure, flight)) }
    // The failure may have opened the breaker, which would refuse the retry.
    if let breaker, breaker.refusal(at: now.advanced(by: wait)) != nil {
      throw await giveUp(failure, &flight, because: .upstream(failure))
    }
    flight.elapsed += wait
    do throws(RefreshError) {
      try await self.wait(wait, after: failure, flight)
    } catch {
      flight.purpose.context?.budget.giveBack()
      throw error
    }
    return failure
  }

  /// Ends a flight whose next call was refused.
  ///
  /// - Parameter failure: The last call's; `nil` if there was no call.
  /// - Returns: What the flight ends with: rather what the upstream did than why it is not asked again.
  func giveUp(
    _ failure: CatalogFailure?, _ flight: inout Flight, because refusal: RefreshError
  ) async -> RefreshError {
    guard let failure else { return refusal }
    flight.purpose.context?.budget.giveBack()
    guard case .upstream = refusal else { return refusal }
    flight.ticket?.isToBeRepeated = false
    // The breaker and the ledger have been told of it.
    flight.ticket?.breaker = nil
    flight.ticket?.turnedTo = nil
    await record(failure, &flight, at: failure.at ?? clock.wallTime)
    return .upstream(told(failure, flight))
  }

  /// Ends the lease of a flight that came to nothing.
  func abandon(_ lease: Lease) async {
    let store = store
    // A cancelled flight ends its lease as well: in a task of its own, which the cancellation does not reach.
    await Task { @concurrent in try? await store.endLease(lease) }.value
  }

  /// Until when later syncs leave the resource alone; `nil` if the next one tries again.
  private func setAsideUntil(
    after failure: CatalogFailure, _ flight: Flight, isLast: Bool, at now: Timestamp
  ) async -> Timestamp? {
    guard gate.isLive, let context = flight.purpose.context else {
      // A reader's failure leaves a sync's judgement as it is.
      return flight.stored?.lastFailure?.setAsideUntil
    }
    guard isLast else { return nil }
    let previous = flight.stored?.lastFailure
    var othersWereOfUse = context.answers.hasUsefulAnswer
    if !othersWereOfUse, failure.isOutage, let at = previous?.at {
      let latest = try? await store.latestFetch(of: source.upstream, from: source.provenance)
      othersWereOfUse = latest.map { $0 > at.advanced(by: .zero - Self.othersWindow) } ?? false
    }
    return configuration.setAside.delay(
      after: failure, previous: previous, othersWereOfUse: othersWereOfUse
    ).map { now.advanced(by: $0) }
  }

  /// So long before a failure an answer to another resource still tells that the upstream was there.
  static let othersWindow: Duration = .seconds(300)

  /// How long to wait before the call is made again, which the budget is charged with; `nil` if it is not.
  private func retryWait(after failure: CatalogFailure, _ flight: Flight) -> Duration? {
    // A probe is one call, and samples do not get better.
    guard gate.isLive, flight.ticket?.isProbe != true else { return nil }
    let policy: RetryPolicy
    if flight.purpose.context != nil {
      policy = configuration.syncRetry
    } else {
      policy = flight.stored?.fetchedAt == nil ? configuration.readRetry : .none
    }
    let wait = policy.wait(
      after: failure, retryCount: flight.retryCount, elapsed: flight.elapsed, retryAfter: flight.retryAfter,
      random: random())
    guard let wait, flight.purpose.context?.budget.take() ?? true else { return nil }
    return wait
  }

  /// Records a failed call, and settles it if it was the last.
  ///
  /// - Returns: The state of the upstream's breaker, if it was told.
  @discardableResult
  private func record(_ failure: CatalogFailure, _ flight: inout Flight, at instant: Timestamp) async
    -> BreakerState?
  {
    let resource = flight.resource
    let isLast = flight.ticket?.isToBeRepeated != true
    var metadata = Logger.Metadata.of(failure, resource: resource)
    metadata["calls"] = "\(flight.callCount)"
    logger.notice(isLast ? "a call failed" : "a call failed, and is made again", metadata: metadata)
    var ticket = flight.ticket
    // Just after midnight it may be the day before that is spent; the new day's ledger is left as it is.
    let isDoubtful =
      failure.code == .quota && configuration.quota.isJustBegun(ticket?.charge?.day, at: instant)
    if isDoubtful {
      ticket?.charge = nil
      gate.rememberDoubt(at: instant)
    }
    let (store, run, settled) = (store, isLast ? flight.purpose.run : nil, ticket)
    // What was paid for is settled even if the refresh is cancelled meanwhile.
    let result = await Task { @concurrent () -> Result<BreakerState?, StoreError> in
      do throws(StoreError) {
        return .success(
          try await store.recordFailure(failure, for: resource, at: instant, in: run, settling: settled))
      } catch {
        return .failure(error)
      }
    }.value
    do throws(StoreError) {
      let breaker = try result.get()
      if let charge = settled?.charge, failure.code == .quota { gate.rememberSpent(charge.day) }
      if isLast { flight.ticket = nil }
      if let breaker { gate.remember(breaker) }
      return breaker
    } catch {
      // Who was stopped past its lease has nothing to record.
      logger.log(
        level: error.code == .leaseLost ? .notice : .error, "a failure was not recorded",
        metadata: .of(error, resource: resource))
      return nil
    }
  }

  /// The failure as the caller is told it: with the time before which the upstream is not asked again.
  private func told(_ failure: CatalogFailure, _ flight: Flight) -> CatalogFailure {
    guard failure.code == .quota, gate.isLive, let at = failure.at else { return failure }
    var told = failure
    told.nextAttemptAt = configuration.quota.nextAttempt(afterSpentAt: at)
    return told
  }
}
