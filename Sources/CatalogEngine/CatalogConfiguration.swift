public import HTTPTransport

/// What a catalogue may be told: how long answers live, and what one call may cost.
public struct CatalogConfiguration: Hashable, Sendable {
  /// How long answers live, by kind and by the age of their day.
  public var lifetimes: LifetimePolicy

  /// What one call to the upstream may cost in time and memory.
  public var transportLimits: TransportLimits

  /// How many calls to the upstream may be under way at once, for all readers and syncs together; more wait in line.
  public var concurrentCallCountMax: Int

  /// Makes a configuration.
  ///
  /// - Precondition: `concurrentCallCountMax` is at least 1.
  public init(
    lifetimes: LifetimePolicy = LifetimePolicy(), transportLimits: TransportLimits = .default,
    concurrentCallCountMax: Int = 16
  ) {
    precondition(concurrentCallCountMax >= 1, "at least one call may be under way")
    self.lifetimes = lifetimes
    self.transportLimits = transportLimits
    self.concurrentCallCountMax = concurrentCallCountMax
  }
}
