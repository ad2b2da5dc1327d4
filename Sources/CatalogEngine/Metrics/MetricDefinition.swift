/// A metric that a catalogue reports: its name, what kind it is, and by what it is told apart.
///
/// Names and dimensions are a contract with whoever draws graphs of them; the article on metrics says what each means,
/// and a test holds it to this list.
package struct MetricDefinition: Hashable, Sendable {
  /// What can be done with it.
  package enum Kind: String, Sendable {
    /// It only ever grows.
    case counter
    /// It is set to what is.
    case meter
    /// It records durations.
    case timer
  }

  package let name: String
  package let kind: Kind
  /// The names of its dimensions, in order; every one of them has few values.
  package let dimensions: [String]

  static let calls = MetricDefinition("matinee_calls_total", .counter, "upstream", "outcome")
  static let retries = MetricDefinition("matinee_retries_total", .counter, "upstream")
  static let callDuration = MetricDefinition("matinee_call_duration_seconds", .timer, "upstream")
  static let reads = MetricDefinition(
    "matinee_reads_total", .counter, "upstream", "policy", "outcome", "freshness")
  static let joinedRefreshes = MetricDefinition("matinee_refreshes_joined_total", .counter, "upstream")
  static let commits = MetricDefinition("matinee_commits_total", .counter, "upstream", "outcome")
  static let quotaLeft = MetricDefinition("matinee_quota_calls_left", .meter, "upstream")
  static let breakerOpen = MetricDefinition("matinee_breaker_open", .meter, "upstream")
  static let syncRuns = MetricDefinition("matinee_sync_runs_total", .counter, "upstream", "end")
  static let syncResources = MetricDefinition("matinee_sync_resources_total", .counter, "upstream", "outcome")

  /// Every metric there is.
  package static let all = [
    calls, retries, callDuration, reads, joinedRefreshes, commits, quotaLeft, breakerOpen, syncRuns,
    syncResources,
  ]

  private init(_ name: String, _ kind: Kind, _ dimensions: String...) {
    self.name = name
    self.kind = kind
    self.dimensions = dimensions
  }
}
