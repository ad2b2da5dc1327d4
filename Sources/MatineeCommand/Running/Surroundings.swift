package import CatalogEngine
package import HTTPTransport

/// Everything outside the command that it touches, so that a test can stand in for all of it.
package struct Surroundings: Sendable {
  /// The environment's variables.
  package var environment: [String: String]
  /// What time it is.
  package var clock: any CatalogClock
  /// What carries calls to the upstream; `nil` for the upstream's own session.
  package var session: (any HTTPSession)?
  /// Between which instants the clock can be believed by a sync; `nil` for a clock that is always believed.
  package var plausibleTimes: Range<Timestamp>?
  /// What calls may cost, as far as no setting says so.
  package var configuration: CatalogConfiguration
  /// What a folder lies on.
  package var volume: @Sendable (_ folder: String) -> Volume
  /// Where data goes.
  package var standardOutput: any ByteOutput
  /// Where everything else goes.
  package var standardError: any ByteOutput
  /// The terminal that shows the data; `nil` if it goes to a file or a pipe.
  package var outputTerminal: Terminal?
  /// The terminal that shows everything else; `nil` if there is none.
  package var errorTerminal: Terminal?
  /// Requests to end what is running; asked for only by what can end early and save its progress.
  package var interruptions: @Sendable () -> AsyncStream<Interruption>

  package init(
    environment: [String: String], clock: any CatalogClock, plausibleTimes: Range<Timestamp>? = nil,
    session: (any HTTPSession)? = nil,
    configuration: CatalogConfiguration = CatalogConfiguration(),
    volume: @escaping @Sendable (_ folder: String) -> Volume = { Volume(holding: $0) },
    standardOutput: any ByteOutput, standardError: any ByteOutput, outputTerminal: Terminal? = nil,
    errorTerminal: Terminal? = nil,
    interruptions: @escaping @Sendable () -> AsyncStream<Interruption> = { AsyncStream { $0.finish() } }
  ) {
    self.environment = environment
    self.clock = clock
    self.plausibleTimes = plausibleTimes
    self.session = session
    self.configuration = configuration
    self.volume = volume
    self.standardOutput = standardOutput
    self.standardError = standardError
    self.outputTerminal = outputTerminal
    self.errorTerminal = errorTerminal
    self.interruptions = interruptions
  }
}

/// A request from outside to end.
package enum Interruption: String, Sendable {
  case interrupt = "SIGINT"
  case terminate = "SIGTERM"
}
