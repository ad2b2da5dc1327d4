import Foundation

/// Which requests fail and how: a script in order, or draws from a seed.
public struct FaultPlan: Sendable, CustomStringConvertible {
  /// What a script does once it is at its end.
  public enum ScriptEnd: Hashable, Sendable {
    /// All goes well from then on.
    case succeed
    /// The script starts again.
    case startAgain
  }

  enum Kind: Sendable {
    case script([Fault?], ScriptEnd)
    case draws(probability: Double, faults: [Fault])
  }

  let kind: Kind

  /// The seed of the draws; `nil` for a script.
  public let seed: UInt64?

  /// The faults of `script` in order, one per request; `nil` lets a request through.
  public static func script(_ script: [Fault?], then end: ScriptEnd = .succeed) -> FaultPlan {
    FaultPlan(kind: .script(script, end), seed: nil)
  }

  /// The same fault for every request.
  public static func always(_ fault: Fault) -> FaultPlan { .script([fault], then: .startAgain) }

  /// A fault drawn for each request with `probability`, from `faults`, each equally likely.
  ///
  /// - Parameters:
  ///   - probability: From 0, never, to 1, always.
  ///   - faults: What may happen; every fault there is unless you say so.
  ///   - seed: Makes the draws; the same seed makes the same ones. Without one, the environment variable
  ///     `HTTP_TESTING_SEED` is the seed or else the system's generator makes one, and it is printed.
  public static func random(
    probability: Double, faults: [Fault] = Fault.all, seed: UInt64? = nil
  ) -> FaultPlan {
    precondition((0...1).contains(probability), "A probability is from 0 to 1.")
    precondition(!faults.isEmpty, "There must be a fault to draw.")
    let seed = seed ?? printedSeed()
    return FaultPlan(kind: .draws(probability: probability, faults: faults), seed: seed)
  }

  /// The script, or the seed and what is drawn.
  public var description: String {
    switch kind {
    case .script(let script, let end):
      let names = script.map { $0?.rawValue ?? "none" }.joined(separator: ", ")
      return "faults in order: \(names)\(end == .startAgain ? ", and again" : "")"
    case .draws(let probability, _):
      return "faults drawn with probability \(probability) from seed \(seed ?? 0)"
    }
  }

  private static func printedSeed() -> UInt64 {
    let given = ProcessInfo.processInfo.environment["HTTP_TESTING_SEED"].flatMap { UInt64($0) }
    var system = SystemRandomNumberGenerator()
    let seed = given ?? system.next()
    let line = "Faults are drawn from seed \(seed); replay them with HTTP_TESTING_SEED=\(seed).\n"
    FileHandle.standardError.write(Data(line.utf8))
    return seed
  }
}
