/// Goes through a plan, request by request.
struct FaultSequence: Sendable {
  private let plan: FaultPlan
  private var random: SeededRandom
  private var index = 0

  init(_ plan: FaultPlan) {
    self.plan = plan
    random = SeededRandom(seed: plan.seed ?? 0)
  }

  mutating func next() -> Fault? {
    defer { index += 1 }
    switch plan.kind {
    case .script(let script, let end):
      if index < script.count { return script[index] }
      return end == .startAgain && !script.isEmpty ? script[index % script.count] : nil
    case .draws(let probability, let faults):
      // Both draws are made every time, so that one request's fate does not shift the others'.
      let (chance, choice) = (random.nextUnit(), random.next())
      return chance < probability ? faults[Int(choice % UInt64(faults.count))] : nil
    }
  }
}
