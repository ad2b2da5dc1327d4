import AsyncHTTPClient
import HTTPTransport
import NIOCore
import NIOSSL

/// The clients of a session: one for each connect timeout, which a client has once for all of its requests.
///
/// Sessions ask for one timeout as a rule, so there is one client. AsyncHTTPClient traps in debug builds if a
/// client is released without shutdown; the pool sees to it that none is.
final class ClientPool: Sendable {
  /// The most clients; a timeout beyond gets the client with the longest shorter one, or with the shortest of all if
  /// none is shorter.
  static let clientCountMax = 4

  private struct State {
    var isShutDown = false
    var clients: [Duration: HTTPClient] = [:]
  }

  private let state = LockedValue(State())
  private let tls: TLSConfiguration
  private let connectionCountMaxPerHost: Int

  init(tls: TLSConfiguration, connectionCountMaxPerHost: Int) {
    self.tls = tls
    self.connectionCountMaxPerHost = connectionCountMaxPerHost
  }

  deinit {
    for client in close() {
      // The closure keeps the client until it is shut down.
      client.shutdown { _ in withExtendedLifetime(client) {} }
    }
  }

  var isShutDown: Bool { state.withLock { $0.isShutDown } }

  /// The client for a connect timeout; `nil` after shutdown.
  func client(connectTimeout: Duration) -> HTTPClient? {
    state.withLock { state in
      if state.isShutDown { return nil }
      if let client = state.clients[connectTimeout] { return client }
      if state.clients.count >= Self.clientCountMax {
        let timeouts = state.clients.keys.sorted()
        let nearest = timeouts.last { $0 < connectTimeout } ?? timeouts.first
        return nearest.flatMap { state.clients[$0] }
      }
      let client = makeClient(connectTimeout: connectTimeout)
      state.clients[connectTimeout] = client
      return client
    }
  }

  func shutDown() async {
    for client in close() {
      // It fails only for a client that is already shut down.
      try? await client.shutdown()
    }
  }

  private func close() -> [HTTPClient] {
    state.withLock { state in
      state.isShutDown = true
      defer { state.clients = [:] }
      return Array(state.clients.values)
    }
  }

  private func makeClient(connectTimeout: Duration) -> HTTPClient {
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tls, redirectConfiguration: .disallow,
      timeout: .init(connect: TimeAmount(connectTimeout)), decompression: .disabled)
    configuration.httpVersion = .http1Only
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionCountMaxPerHost
    // A refused connection is an answer; retrying is the caller's policy, not the transport's.
    configuration.connectionPool.retryConnectionEstablishment = false
    // A span would carry the URL with its query, and so the key.
    configuration.tracing.tracer = nil
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }
}
