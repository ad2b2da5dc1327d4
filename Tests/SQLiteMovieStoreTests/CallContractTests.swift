import CatalogEngine
import SQLiteMovieStore
import Testing

private let one = LeaseHolder(rawValue: "one")
private let two = LeaseHolder(rawValue: "two")

private func request(
  _ resource: ResourceID = dailyID, by holder: LeaseHolder = one, at instant: Timestamp = noon,
  limit: Int? = 10,
  breaker: BreakerPolicy? = nil
) -> CallRequest {
  CallRequest(
    resource: resource, holder: holder, instant: instant, leaseDuration: .seconds(50),
    charge: limit.map { QuotaCharge(day: day(20_220_106), callCountMax: $0, dailyCallCountMax: 10) },
    breaker: breaker)
}

private func resource(_ number: Int) -> ResourceID {
  ResourceID(upstream: kobis, subject: .boxOffice(.daily(day(20_220_101).advanced(by: number))))
}

extension SQLiteMovieStore {
  fileprivate func ticket(_ request: CallRequest) async throws -> CallTicket {
    guard case .admitted(let ticket) = try await admit(request) else {
      throw StoreError(.other, "the call was not admitted")
    }
    return ticket
  }

  fileprivate func usedCount() async throws -> Int {
    try await quotaUse(of: kobis, on: day(20_220_106)).usedCount
  }
}

@Suite struct `Any movie store, before a call` {
  let failure = CatalogFailure(.timeout, "late", at: noon)

  @Test(arguments: StoreKind.allCases)
  func `enters it in the ledger, exactly once`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      #expect(try await store.usedCount() == 0)
      let ticket = try await store.ticket(request())
      #expect(try await store.usedCount() == 1)
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil, settling: ticket)
      #expect(try await store.usedCount() == 1)
      #expect(try await store.quotaUse(of: kobis, on: day(20_220_107)) == QuotaUse())
      #expect(try await store.quotaUse(of: UpstreamID("other"), on: day(20_220_106)) == QuotaUse())
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `refuses it when the caller's share is used up, and enters nothing`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for number in 0..<3 { _ = try await store.ticket(request(resource(number), limit: 3)) }
      #expect(try await store.admit(request(limit: 3)) == .quotaSpent(QuotaUse(usedCount: 3)))
      #expect(try await store.usedCount() == 3)
      _ = try await store.ticket(request(limit: 10))
      #expect(try await store.usedCount() == 4)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `enters nothing for an upstream that is not rationed`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let ticket = try await store.ticket(request(limit: nil))
      #expect(ticket.charge == nil)
      #expect(try await store.usedCount() == 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `takes the day for used up when the upstream says so`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let ticket = try await store.ticket(request())
      let spent = CatalogFailure(.quota, "320011", detail: "320011", at: noon)
      try await store.recordFailure(spent, for: dailyID, at: noon, in: nil, settling: ticket)
      let use = QuotaUse(usedCount: 10, exhaustedAt: noon)
      #expect(try await store.quotaUse(of: kobis, on: day(20_220_106)) == use)
      #expect(try await store.admit(request(limit: 1000)) == .quotaSpent(use))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `enters a call in both days if the day turned meanwhile`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      var ticket = try await store.ticket(request())
      ticket.turnedTo = day(20_220_107)
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil, settling: ticket)
      #expect(try await store.usedCount() == 1)
      #expect(try await store.quotaUse(of: kobis, on: day(20_220_107)).usedCount == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `lets one holder at a resource, until its call is settled`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let ticket = try await store.ticket(request())
      #expect(try await store.admit(request(by: two)) == .leased(ticket.lease))
      _ = try await store.ticket(request(resource(1), by: two))
      #expect(try await store.usedCount() == 2)
      try await store.recordFailure(failure, for: dailyID, at: noon, in: nil, settling: ticket)
      let next = try await store.ticket(request(by: two))
      #expect(next.lease.epoch > ticket.lease.epoch)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps the lease of a call that is made again, and renews it`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      var ticket = try await store.ticket(request())
      ticket.isToBeRepeated = true
      try await store.recordFailure(failure, for: dailyID, at: noon, in: nil, settling: ticket)
      let later = noon.advanced(by: .seconds(40))
      #expect(try await store.admit(request(by: two, at: later)) == .leased(ticket.lease))
      var again = request(at: later)
      again.lease = ticket.lease
      let renewed = try await store.ticket(again)
      #expect(renewed.lease.epoch == ticket.lease.epoch)
      #expect(renewed.lease.expiresAt == later.advanced(by: .seconds(50)))
      #expect(try await store.usedCount() == 2)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `gives the work of a holder that ran out to another, and refuses what comes late`(kind: StoreKind)
    async throws
  {
    try await kind.withStore { store in
      let stopped = try await store.ticket(request())
      let later = noon.advanced(by: .seconds(50))
      let successor = try await store.ticket(request(by: two, at: later))
      let late = await #expect(throws: StoreError.self) {
        try await store.commit(answer(.boxOffice(chart(daily, audience: 1))), in: nil, settling: stopped)
      }
      #expect(late?.code == .leaseLost)
      #expect(try await store.entry(for: dailyID) == nil)
      let failed = await #expect(throws: StoreError.self) {
        try await store.recordFailure(failure, for: dailyID, at: later, in: nil, settling: stopped)
      }
      #expect(failed?.code == .leaseLost)
      var again = request(at: later)
      again.lease = stopped.lease
      #expect(try await store.admit(again) == .leaseLost)
      let value = CatalogValue.boxOffice(chart(daily, audience: 2))
      _ = try await store.commit(answer(value, at: later), in: nil, settling: successor)
      #expect(try await store.entry(for: dailyID)?.value == value)
      // After the successor has ended its lease, too.
      await #expect(throws: StoreError.self) {
        try await store.commit(answer(.boxOffice(chart(daily, audience: 1))), in: nil, settling: stopped)
      }
      #expect(try await store.entry(for: dailyID)?.value == value)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `lets a holder that ran out write if nobody came after it`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let slow = try await store.ticket(request())
      let later = noon.advanced(by: .seconds(500))
      let receipt = try await store.commit(
        answer(.boxOffice(chart(daily)), at: later), in: nil, settling: slow)
      #expect(receipt.outcome == .fetched)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `holds no lease for good because a clock was set back`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.ticket(request(at: noon.advanced(by: .seconds(86_400))))
      _ = try await store.ticket(request(by: two, at: noon))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `takes over at once from a holder that is known to be dead`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let dead = try await store.ticket(request())
      var takeover = request(by: two)
      takeover.dead = dead.lease
      let ticket = try await store.ticket(takeover)
      #expect(ticket.lease.holder == two)
      // The knowledge is of that one holder, and not of who came after it.
      #expect(try await store.admit(takeover) == .leased(ticket.lease))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `tells of an answer that the caller has not seen`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      #expect(try await store.admit(request()) == .answered)
      #expect(try await store.usedCount() == 0)
      var known = request()
      known.seen = noon
      _ = try await store.ticket(known)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps one sync at a time, and stops the calls of one that was taken over`(kind: StoreKind)
    async throws
  {
    try await kind.withStore { store in
      func sync(_ holder: LeaseHolder, at instant: Timestamp) async throws -> LeaseGrant {
        try await store.grantLease(
          LeaseRequest(name: "sync/kobis", holder: holder, instant: instant, duration: .seconds(70)))
      }
      guard case .granted(let first) = try await sync(one, at: noon) else {
        Issue.record("nobody held it")
        return
      }
      #expect(try await sync(two, at: noon) == .held(first))
      // A call of the sync's renews it.
      var call = request(at: noon.advanced(by: .seconds(60)))
      call.syncLease = first
      let ticket = try await store.ticket(call)
      #expect(ticket.syncLease?.expiresAt == noon.advanced(by: .seconds(130)))
      guard case .held = try await sync(two, at: noon.advanced(by: .seconds(100))) else {
        Issue.record("it was renewed")
        return
      }
      guard case .granted(let second) = try await sync(two, at: noon.advanced(by: .seconds(130))) else {
        Issue.record("it ran out")
        return
      }
      call.resource = resource(1)
      #expect(try await store.admit(call) == .syncLeaseLost)
      try await store.endLease(first)
      #expect(try await sync(one, at: noon.advanced(by: .seconds(131))) == .held(second))
      try await store.endLease(second)
      guard case .granted = try await sync(one, at: noon.advanced(by: .seconds(131))) else {
        Issue.record("it was ended")
        return
      }
    }
  }
}

@Suite struct `Any movie store's breaker` {
  let policy = BreakerPolicy(
    consecutiveFailureCountMax: 2, coolDown: .seconds(30), coolDownMax: .seconds(600))
  let failure = CatalogFailure(.timeout, "late", at: noon)

  func fail(_ store: SQLiteMovieStore, at instant: Timestamp = noon) async throws {
    let ticket = try await store.ticket(request(at: instant, breaker: policy))
    try await store.recordFailure(failure, for: dailyID, at: instant, in: nil, settling: ticket)
  }

  @Test(arguments: StoreKind.allCases)
  func `opens, lets one probe through, and closes with an answer`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      #expect(try await store.breaker(of: kobis) == BreakerState())
      try await fail(store)
      try await fail(store)
      let open = try await store.breaker(of: kobis)
      #expect(open.isOpen)
      #expect(try await store.admit(request(breaker: policy)) == .breakerOpen(open))
      #expect(try await store.usedCount() == 2, "a call that is not made is not entered")
      let later = noon.advanced(by: .seconds(30))
      let probe = try await store.ticket(request(at: later, breaker: policy))
      #expect(probe.isProbe)
      guard
        case .breakerOpen(let probing) = try await store.admit(
          request(resource(1), at: later, breaker: policy))
      else {
        Issue.record("a probe is under way")
        return
      }
      #expect(probing.isProbing(at: later))
      _ = try await store.commit(answer(.boxOffice(chart(daily)), at: later), in: nil, settling: probe)
      #expect(try await store.breaker(of: kobis) == BreakerState())
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `counts no fault and no body that cannot be read`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      try await fail(store)
      let fault = CatalogFailure(.fault, "a fault", detail: "320102", at: noon)
      let ticket = try await store.ticket(request(breaker: policy))
      let state = try await store.recordFailure(fault, for: dailyID, at: noon, in: nil, settling: ticket)
      #expect(state == BreakerState())
      try await fail(store)
      #expect(try await store.breaker(of: kobis).isOpen == false)
    }
  }

  @Test func `is still open when the file is opened again`() async throws {
    try await withTemporaryFolder { folder in
      let first = try await SQLiteMovieStore(.file(folder + "/movies.db"))
      try await fail(first)
      try await fail(first)
      let state = try await first.breaker(of: kobis)
      await first.close()
      let second = try await SQLiteMovieStore(.file(folder + "/movies.db"))
      #expect(state.isOpen)
      #expect(try await second.breaker(of: kobis) == state)
      #expect(try await second.admit(request(breaker: policy)) == .breakerOpen(state))
      await second.close()
    }
  }
}

@Suite struct `Two stores on one file` {
  @Test func `spend a day's calls to the last one, and never one more`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/movies.db"
      let stores = [try await SQLiteMovieStore(.file(path)), try await SQLiteMovieStore(.file(path))]
      let admitted = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<60 {
          let store = stores[number % 2]
          group.addTask {
            let request = request(resource(number), by: number % 2 == 0 ? one : two, limit: 25)
            if case .admitted = try await store.admit(request) { return true }
            return false
          }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(admitted == 25)
      #expect(try await stores[0].usedCount() == 25)
      for store in stores { await store.close() }
    }
  }

  @Test func `let one of many at a resource`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/movies.db"
      let stores = [try await SQLiteMovieStore(.file(path)), try await SQLiteMovieStore(.file(path))]
      let admitted = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<40 {
          let store = stores[number % 2]
          group.addTask {
            let holder = LeaseHolder(rawValue: "\(number)")
            if case .admitted = try await store.admit(request(by: holder, limit: 1000)) { return true }
            return false
          }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(admitted == 1)
      for store in stores { await store.close() }
    }
  }
}
