import CatalogEngine
import Testing

private let live = Provenance.host("kobis.or.kr")

private func generation(
  of totalCount: Int?, isSteady: Bool = true, isComplete: Bool = true, took: Duration = .zero,
  from provenance: Provenance? = live
) -> ListGeneration {
  let noon = Timestamp(millisecondsSinceEpoch: 1_641_438_000_000)
  return ListGeneration(
    list: .people, number: 1, startedAt: noon, totalCount: totalCount, isSteady: isSteady,
    completedAt: isComplete ? noon.advanced(by: took) : nil, provenance: provenance)
}

@Suite struct `A complete go through a list may bury` {
  @Test(arguments: [
    // totalCount, met, missing
    (100, 100, 0, true), (100, 100, 20, true), (100, 100, 21, false), (1000, 1000, 20, true),
    (1000, 1000, 21, false), (10_000, 10_000, 204, true), (10_000, 10_000, 205, false),
    (190_000, 190_000, 3877, true), (190_000, 190_000, 3879, false), (1, 1, 20, true), (1, 1, 21, false),
    // A row that stood twice, or a page that was cut off; an empty list.
    (100, 99, 1, false), (100, 101, 0, false), (0, 0, 5, false),
  ])
  func `a few of many`(totalCount: Int, met: Int, missing: Int, isAllowed: Bool) {
    #expect(
      TombstonePolicy.mayBury(generation(of: totalCount), metCount: met, missingCount: missing) == isAllowed)
  }

  @Test func `nothing if it is not complete, not steady, or of recorded samples`() {
    for generation in [
      generation(of: 100, isComplete: false), generation(of: 100, isSteady: false), generation(of: nil),
      generation(of: 100, from: .recorded),
      generation(of: 100, took: ListGeneration.durationMax + .seconds(1)),
    ] {
      #expect(!TombstonePolicy.mayBury(generation, metCount: 100, missingCount: 1))
    }
  }
}
