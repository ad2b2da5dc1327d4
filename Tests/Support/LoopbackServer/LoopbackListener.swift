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

  private let listening = LockedValue<(any Channel)?>(nil)
  private let conversations = Conversations()
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
    listening.withLock { $0 }?.close(promise: nil)
    for conversation in conversations.close() { conversation.cancel() }
  }

  /// The port.
  package var port: Int { reservation.port }

  /// How many connections were accepted, over all starts.
  package var connectionCount: Int { conversations.count }

  /// Starts listening.
  ///
  /// A connection is served from its initializer on. Those that NIO hands out as a sequence trap in their end if they
  /// are accepted just as the sequence ends.
  package func start() async throws {
    precondition(listening.withLock { $0 == nil }, "the server is already started")
    conversations.open()
    let (configure, serve, conversations) = (configure, serve, conversations)
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 1_024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let connection = try configure(channel)
          conversations.begin { ordinal in await serve(connection, ordinal) }
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
    listening.withLock { $0 = channel }
  }

  /// Stops listening and closes every connection; a later connect is refused until the next start.
  package func stop() async {
    let channel = listening.withLock { channel in
      defer { channel = nil }
      return channel
    }
    // Whoever connects before the listening socket is closed lands in its backlog, and is reset, not refused.
    try? await channel?.close().get()
    let underWay = conversations.close()
    for conversation in underWay { conversation.cancel() }
    for conversation in underWay { await conversation.value }
  }
}

/// The connections under way, each served by a task of its own.
private final class Conversations: Sendable {
  private struct State {
    var tasks: [Int: Task<Void, Never>] = [:]
    var count = 0
    var isOpen = false
  }

  private let state = LockedValue(State())

  /// How many were begun.
  var count: Int { state.withLock { $0.count } }

  /// Lets connections be served from now on.
  func open() { state.withLock { $0.isOpen = true } }

  /// Serves a connection, which is told its ordinal from 0; one that comes after the end is closed at once.
  func begin(_ talk: @escaping @Sendable (Int) async -> Void) {
    state.withLock { state in
      let ordinal = state.count
      state.count += 1
      let task = Task {
        await talk(ordinal)
        self.state.withLock { $0.tasks[ordinal] = nil }
      }
      if state.isOpen { state.tasks[ordinal] = task } else { task.cancel() }
    }
  }

  /// Lets no more be served, and gives those under way.
  func close() -> [Task<Void, Never>] {
    state.withLock { state in
      state.isOpen = false
      return Array(state.tasks.values)
    }
  }
}
