import CatalogEngine
import Testing

@Suite struct `A breaker` {
  let policy = BreakerPolicy(
    consecutiveFailureCountMax: 3, coolDown: .seconds(30), coolDownMax: .seconds(100))
  let start = Timestamp(millisecondsSinceEpoch: 1_641_438_000_000)

  func opened() -> BreakerState {
    var breaker = BreakerState()
    for _ in 0..<3 { breaker.fail(isProbe: false, at: start, policy: policy) }
    return breaker
  }

  func after(_ seconds: Int) -> Timestamp { start.advanced(by: .seconds(seconds)) }

  @Test func `opens after so many failures in a row, and not before`() {
    var breaker = BreakerState()
    for count in 1...2 {
      breaker.fail(isProbe: false, at: start, policy: policy)
      #expect(breaker.consecutiveFailureCount == count && !breaker.isOpen)
      #expect(breaker.refusal(at: start) == nil)
    }
    breaker.fail(isProbe: false, at: start, policy: policy)
    #expect(breaker.isOpen && breaker.refusal(at: start) == after(30))
  }

  @Test func `counts anew after a success`() {
    var breaker = BreakerState()
    breaker.fail(isProbe: false, at: start, policy: policy)
    breaker.fail(isProbe: false, at: start, policy: policy)
    breaker.succeed()
    breaker.fail(isProbe: false, at: start, policy: policy)
    #expect(!breaker.isOpen && breaker.consecutiveFailureCount == 1)
  }

  @Test func `lets one call through when it has cooled down, and no other meanwhile`() {
    var breaker = opened()
    #expect(breaker.refusal(at: after(29)) == after(30))
    #expect(breaker.refusal(at: after(30)) == nil)
    let isProbe = breaker.admit(at: after(30), for: .seconds(50))
    #expect(isProbe)
    #expect(breaker.refusal(at: after(31)) == after(80) && breaker.isProbing(at: after(31)))
    #expect(breaker.refusal(at: after(80)) == nil, "a probe that never came back holds nobody for good")
  }

  @Test func `closes when the probe succeeds`() {
    var breaker = opened()
    _ = breaker.admit(at: after(30), for: .seconds(50))
    breaker.succeed()
    #expect(breaker == BreakerState())
    let isProbe = breaker.admit(at: after(31), for: .seconds(50))
    #expect(!isProbe)
  }

  @Test func `cools down twice as long with each probe that fails, up to a cap`() {
    var breaker = opened()
    var now = after(30)
    for seconds in [60, 100, 100] {
      _ = breaker.admit(at: now, for: .seconds(50))
      breaker.fail(isProbe: true, at: now, policy: policy)
      #expect(breaker.refusal(at: now) == now.advanced(by: .seconds(seconds)))
      now = now.advanced(by: .seconds(seconds))
    }
  }

  @Test func `learns nothing from a call that set out before it opened`() {
    var breaker = opened()
    breaker.fail(isProbe: false, at: after(10), policy: policy)
    #expect(breaker.refusal(at: after(10)) == after(30))
  }

  @Test func `is not made immortal by a clock that is set back`() {
    let breaker = opened()
    #expect(breaker.refusal(at: after(-86_400)) == nil)
    var probing = opened()
    _ = probing.admit(at: after(30), for: .seconds(50))
    #expect(probing.refusal(at: after(-86_400)) == nil)
  }

  @Test(arguments: [
    ("offline", nil, true), ("timeout", nil, true), ("transport", "connectionLost", true),
    ("transport", "tls", true),
    ("transport", "invalidRequest", false), ("status", "500", true), ("status", "503", true),
    ("status", "408", true),
    ("status", "429", false), ("status", "404", false), ("fault", "320102", false),
    ("undecodable", "markup", false),
    ("implausible", "emptied", false), ("quota", "320011", false), ("keyRefused", "320010", false),
  ])
  func `counts what did not reach the upstream, and no answer`(
    code: String, detail: String?, isUnreached: Bool
  ) {
    #expect(CatalogFailure(.init(rawValue: code), "m", detail: detail).isUnreached == isUnreached)
  }
}

@Suite struct `A day of calls` {
  let noon = Timestamp(millisecondsSinceEpoch: 1_641_438_000_000)  // 2022-01-06 12:00 in Korea

  @Test func `begins at midnight in Korea`() {
    let policy = QuotaPolicy()
    let day = policy.day(at: noon)
    #expect(day.description == "2022-01-06")
    let midnight = policy.reset(after: day)
    #expect(midnight.description == "2022-01-06T15:00:00Z")
    #expect(policy.day(at: midnight.advanced(by: .milliseconds(-1))) == day)
    #expect(policy.day(at: midnight) == day.advanced(by: 1))
  }

  @Test func `begins at another hour if it is told so`() {
    let policy = QuotaPolicy(resetHourInKorea: 9)
    #expect(policy.reset(after: policy.day(at: noon)).description == "2022-01-07T00:00:00Z")
    #expect(policy.day(at: noon.advanced(by: .seconds(-3 * 3600 - 1))).description == "2022-01-05")
    #expect(policy.day(at: noon.advanced(by: .seconds(-3 * 3600))).description == "2022-01-06")
  }

  @Test func `keeps a reserve for readers that fits the day`() {
    #expect(QuotaPolicy().reservedCallCount == 200)
    #expect(QuotaPolicy(dailyCallCountMax: 300).reservedCallCount == 30)
    #expect(QuotaPolicy().charge(at: noon, isBulk: true).callCountMax == 2800)
    #expect(QuotaPolicy().charge(at: noon, isBulk: false).callCountMax == 3000)
  }
}

@Suite struct `A lease` {
  let now = Timestamp(millisecondsSinceEpoch: 1_641_438_000_000)

  @Test func `holds until it ends, and not from the future`() {
    let lease = Lease(
      name: "a", holder: LeaseHolder(), epoch: 1, renewedAt: now, expiresAt: now.advanced(by: .seconds(50)))
    #expect(lease.holds(at: now) && lease.holds(at: now.advanced(by: .seconds(49))))
    #expect(!lease.holds(at: now.advanced(by: .seconds(50))))
    #expect(lease.holds(at: now.advanced(by: .seconds(-5))), "clocks of two machines differ")
    #expect(!lease.holds(at: now.advanced(by: .seconds(-6))), "a clock that was set back")
  }

  @Test func `has a holder of its own, whose process lives`() {
    let (one, two) = (LeaseHolder(), LeaseHolder())
    #expect(one != two)
    #expect(!one.isKnownDead && !two.isKnownDead)
  }

  @Test func `has a dead holder if its process is gone, or is another's by now`() {
    var parts = LeaseHolder().rawValue.split(separator: " ").map(String.init)
    #expect(parts.count == 4)
    parts[2] = "1"
    #expect(LeaseHolder(rawValue: parts.joined(separator: " ")).isKnownDead)
    // Beyond the greatest number that a process can have.
    parts[1] = "4194305"
    #expect(LeaseHolder(rawValue: parts.joined(separator: " ")).isKnownDead)
  }

  @Test(arguments: ["", "name", "name x 1 space", "name 1 1 another-boot/pid:[1]", "name -1 1 2"])
  func `concludes nothing from another machine, or from what it cannot read`(text: String) {
    #expect(!LeaseHolder(rawValue: text).isKnownDead)
  }
}
