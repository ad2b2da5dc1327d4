import HTTPTransport
import Testing

@Suite struct `When many tasks change a locked value` {
  @Test func `no change is lost`() async {
    let count = LockedValue(0)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1_000 { count.withLock { $0 += 1 } } }
      }
    }
    #expect(count.withLock { $0 } == 8_000)
  }

  @Test func `an error leaves the lock free`() {
    struct Failure: Error {}
    let value = LockedValue("before")
    #expect(throws: Failure.self) { try value.withLock { _ in throw Failure() } }
    value.withLock { $0 = "after" }
    #expect(value.withLock { $0 } == "after")
  }
}
