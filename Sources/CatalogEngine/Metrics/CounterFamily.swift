import CoreMetrics

/// Counters of one name, one for each value of its last dimension, made once: counting looks one up.
struct CounterFamily: Sendable {
  private let counters: [String: Counter]
  /// Counts what has a value that was not known when the counters were made.
  private let others: Counter

  /// The value under which unknown ones are counted.
  static let otherValue = "other"

  init(_ definition: MetricDefinition, upstream: String, values: [String], factory: any MetricsFactory) {
    func counter(_ value: String) -> Counter {
      Counter(
        label: definition.name, dimensions: Array(zip(definition.dimensions, [upstream, value])),
        factory: factory)
    }
    counters = Dictionary(uniqueKeysWithValues: Set(values).map { ($0, counter($0)) })
    others = counter(Self.otherValue)
  }

  func count(_ value: String) { (counters[value] ?? others).increment() }
}
