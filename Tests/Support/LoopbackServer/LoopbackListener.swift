import HTTPTransport
package import NIOCore
import NIOPosix

/// Accepts TCP connections on 127.0.0.1 and serves each by a closure until it is stopped.
///
/// The port is reserved from the beginning to the end, so that a test can take a server away and bring it back at
/// the same address, and no other test's server comes up there meanwhile.
package final class LoopbackListener<Inbound: Sendable, Outbound: Sendable>: Sendable {
  /// One accepted connection, and its ordinal from 0 over all starts.
  package typealias Connection = NIOAsyncChannel<Inbound, Outbound>

  private struct State {
    var accepting: Task<Void, Never>?
    var connectionCount = 0
  }

  private let state = LockedValue(State())
  private let reservation = RefusingPort()
  private let configure: @Sendable (any Channel) throws -> Connection
  private let serve: @Sendable (Connection, Int) async -> Void

  /// Makes a listener that is not yet listening.
  ///
  /// - Parameters:
  ///   - configure: Fills a connection's pipeline; runs on the connection's event loop.
  ///   - serve: Talks to one peer; the connection is closed when it returns.
  package init(
    configure: @escaping @Sendable (any Channel) throws -> Connection,
    serve: @escaping @Sendable (_ connection: Connection, _ ordinal: Int) async -> Void
  ) {
    self.configure = configure
    self.serve = serve
  }

  deinit {
    state.withLock { $0.accepting?.cancel() }
  }

  /// The port.
  package var port: Int { reservation.port }

  /// How many connections were accepted, over all starts.
  package var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// Starts listening.
  package func start() async throws {
    precondition(state.withLock { $0.accepting == nil }, "the server is already started")
    let configure = self.configure
    let listening = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 1_024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .bind(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture { try configure(channel) }
      }
    let accepting = Task { [weak self] in
      // Accepting ends by cancellation, which is no failure.
      _ = try? await listening.executeThenClose { connections in
        try await withThrowingDiscardingTaskGroup { group in
          for try await connection in connections {
            guard let self else { return }
            let ordinal = self.state.withLock { state in
              defer { state.connectionCount += 1 }
              return state.connectionCount
            }
            group.addTask { [serve = self.serve] in await serve(connection, ordinal) }
          }
          group.cancelAll()
        }
      }
      // Whoever connects before the listening socket is closed lands in its backlog, and is reset, not refused.
      try? await listening.channel.closeFuture.get()
    }
    state.withLock { $0.accepting = accepting }
  }

  /// Stops listening and closes every connection; a later connect is refused until the next start.
  package func stop() async {
    let accepting = state.withLock { state in
      defer { state.accepting = nil }
      return state.accepting
    }
    accepting?.cancel()
    await accepting?.value
  }
}
