/// The bounds of one connection.
package struct ConnectionConfiguration: Hashable, Sendable {
  /// How long SQLite retries a lock that another process holds before it reports `busy`.
  ///
  /// Writers of this library queue at the ``WriteGate`` and never meet here; this is for a process that
  /// recovers the log, or a foreign tool that writes.
  package var busyTimeout: Duration = .seconds(5)

  /// Prepared statements a connection keeps; the one used longest ago goes first.
  package var cachedStatementCountMax = 64

  package init() {}
}
