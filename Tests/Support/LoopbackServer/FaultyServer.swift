package import HTTPTypes
import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A raw TCP server on 127.0.0.1 that misbehaves by script: it writes bytes, not HTTP.
package final class FaultyServer: Sendable {
  private let listener: LoopbackListener<ByteBuffer, ByteBuffer>

  /// Makes a server that follows `script` on every connection; not yet started.
  package convenience init(script: [ConnectionStep]) {
    self.init { _ in script }
  }

  /// Makes a server that follows a script chosen by the connection's ordinal, from 0; not yet started.
  package init(scriptForConnection: @escaping @Sendable (_ ordinal: Int) -> [ConnectionStep]) {
    self.listener = LoopbackListener { channel in
      try NIOAsyncChannel(wrappingChannelSynchronously: channel)
    } serve: { connection, ordinal in
      // A peer that goes away in mid script ends the script; that is no failure of the server.
      try? await connection.executeThenClose { inbound, outbound in
        var peer = ScriptedPeer(
          channel: connection.channel, inbound: inbound.makeAsyncIterator(), outbound: outbound)
        try await peer.follow(scriptForConnection(ordinal))
      }
    }
  }

  /// The port; chosen at the first start and kept.
  package var port: Int { listener.port }

  /// Host and port, for a request's authority.
  package var authority: String { "127.0.0.1:\(port)" }

  /// How many connections were accepted, over all starts.
  package var connectionCount: Int { listener.connectionCount }

  /// Makes a request to this server.
  package func request(
    _ path: String, method: HTTPRequest.Method = .get, scheme: String = "http"
  ) -> HTTPRequest {
    HTTPRequest(method: method, scheme: scheme, authority: authority, path: path)
  }

  /// Starts listening, on the same port as before if it was started before.
  package func start() async throws { try await listener.start() }

  /// Stops listening and closes every connection.
  package func stop() async { await listener.stop() }
}

/// One side of a connection, and what has come of it.
private struct ScriptedPeer {
  let channel: any Channel
  var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

  mutating func follow(_ script: [ConnectionStep]) async throws {
    for step in script {
      switch step {
      case .readHead: try await readHead()
      case .send(let bytes): try await outbound.write(ByteBuffer(bytes: bytes))
      case .drip(let bytes, let interval): try await drip(bytes, every: interval)
      case .dripForever(let byte, let interval): while true { try await drip([byte], every: interval) }
      case .sendForever(let bytes): while true { try await outbound.write(ByteBuffer(bytes: bytes)) }
      case .open(let gate): gate.open()
      case .wait(let gate): try await gate.wait()
      case .hold: while try await inbound.next(isolation: #isolation) != nil {}
      case .close: return
      case .reset: return try await reset()
      }
    }
  }

  /// Reads up to the empty line that ends a request's head; content is left unread.
  private mutating func readHead() async throws {
    var seen: [UInt8] = []
    while let bytes = try await inbound.next(isolation: #isolation) {
      seen.append(contentsOf: bytes.readableBytesView)
      if seen.contains(Array("\r\n\r\n".utf8)) { return }
    }
  }

  private func drip(_ bytes: [UInt8], every interval: Duration) async throws {
    for byte in bytes {
      try await outbound.write(ByteBuffer(bytes: [byte]))
      try await channel.eventLoop.scheduleTask(in: TimeAmount(interval)) {}.futureResult.get()
    }
  }

  /// Closes with RST instead of FIN: lingering for no time discards what is unsent.
  private func reset() async throws {
    let socket = channel as? any SocketOptionProvider
    try await socket?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    try await channel.close().get()
  }
}
