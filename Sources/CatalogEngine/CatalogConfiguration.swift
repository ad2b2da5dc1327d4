public import HTTPTransport

/// What a catalogue may be told: how long answers live, and what one call may cost.
public struct CatalogConfiguration: Hashable, Sendable {
  /// How long answers live, by kind and by the age of their day.
  public var lifetimes: LifetimePolicy

  /// What one call to the upstream may cost in time and memory.
  public var transportLimits: TransportLimits

  /// Makes a configuration.
  public init(lifetimes: LifetimePolicy = LifetimePolicy(), transportLimits: TransportLimits = .default) {
    self.lifetimes = lifetimes
    self.transportLimits = transportLimits
  }
}
