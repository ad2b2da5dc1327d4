/// In which order a sync asks for what is due: not first of all for what could not be had the last time.
///
/// The first call of a sync goes alone, and is the probe where the upstream is taken to be down. Were it for the one
/// resource that fails whatever the upstream's state, no other would ever be asked for. Once an answer of use is there,
/// a failure is known for the resource's own, which is set aside by it.
struct CallOrder {
  /// What waits for the first answer of use.
  private(set) var heldBack: [ResourceID] = []

  /// Puts a step's resources in order.
  ///
  /// - Parameters:
  ///   - due: What is due, in the plan's order.
  ///   - suspects: Those of it that the upstream did not manage to answer the last time.
  ///   - hasUsefulAnswer: Whether the sync has had an answer of use.
  /// - Returns: What to ask for now.
  mutating func arrange(
    _ due: [ResourceID], suspects: Set<ResourceID>, hasUsefulAnswer: Bool
  ) -> [ResourceID] {
    guard !suspects.isEmpty || !heldBack.isEmpty else { return due }
    let sound = due.filter { !suspects.contains($0) }
    let suspect = due.filter { suspects.contains($0) }
    if hasUsefulAnswer { return takeHeldBack() + sound + suspect }
    guard let first = sound.first else {
      heldBack += suspect
      return []
    }
    return [first] + takeHeldBack() + sound.dropFirst() + suspect
  }

  /// What was held back to the end, as nothing else was due.
  mutating func takeHeldBack() -> [ResourceID] {
    defer { heldBack = [] }
    return heldBack
  }
}
