import Testing

@testable import CatalogEngine

@Suite struct `The order in which a sync asks` {
  private static func id(_ number: Int) -> ResourceID {
    ResourceID(
      upstream: UpstreamID("kobis"),
      subject: .boxOffice(.daily(CalendarDay(daysSinceEpoch: 19_000).advanced(by: number))))
  }

  private func arrange(
    _ order: inout CallOrder, _ due: [Int], suspects: Set<Int> = [], hasUsefulAnswer: Bool = false
  ) -> [ResourceID] {
    order.arrange(
      due.map(Self.id), suspects: Set(suspects.map(Self.id)), hasUsefulAnswer: hasUsefulAnswer)
  }

  @Test func `is the plan's where nothing failed the last time`() {
    var order = CallOrder()
    #expect(arrange(&order, [1, 2, 3]) == [1, 2, 3].map(Self.id))
    #expect(arrange(&order, []) == [])
    #expect(order.heldBack.isEmpty)
  }

  @Test func `has what failed behind the rest of its step`() {
    var order = CallOrder()
    #expect(arrange(&order, [1, 2, 3, 4], suspects: [1, 3]) == [2, 4, 1, 3].map(Self.id))
    #expect(
      arrange(&order, [1, 2, 3], suspects: [2], hasUsefulAnswer: true) == [1, 3, 2].map(Self.id))
  }

  @Test func `holds back a step of nothing else until another has been asked for`() {
    var order = CallOrder()
    #expect(arrange(&order, [1, 2], suspects: [1, 2]) == [])
    #expect(arrange(&order, []) == [])
    #expect(arrange(&order, [3, 4, 5], suspects: [4]) == [3, 1, 2, 5, 4].map(Self.id))
    #expect(order.takeHeldBack() == [])
  }

  @Test func `asks for what was held back in the end, or once an answer of use came`() {
    var order = CallOrder()
    #expect(arrange(&order, [1, 2], suspects: [1, 2]) == [])
    #expect(arrange(&order, [3], suspects: [3], hasUsefulAnswer: true) == [1, 2, 3].map(Self.id))
    #expect(arrange(&order, [4], suspects: [4]) == [])
    #expect(order.takeHeldBack() == [Self.id(4)])
    #expect(order.takeHeldBack() == [])
  }
}
