/// The bounds of a ``Database``.
package struct DatabaseConfiguration: Hashable, Sendable {
  /// The bounds of each of its connections.
  package var connection = ConnectionConfiguration()

  /// Connections that read a file at once, opened as they are needed and then kept.
  package var readerCountMax = 8

  /// How long a read waits for one of them when all are in use; reads take milliseconds.
  package var readerWaitMax: Duration = .seconds(10)

  /// Writes that may be under way or wait for their turn; one more is refused as `writeQueueFull`.
  package var pendingWriteCountMax = 1_024

  /// How long a write waits, for the writes before it in this process and those of other processes.
  package var gateWaitMax: Duration = .seconds(30)

  /// Size of the write-ahead log from which a commit is followed by a checkpoint.
  package var checkpointByteCount = 4 * 1_024 * 1_024

  package init() {}
}
