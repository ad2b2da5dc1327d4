package import HTTPTransport
package import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL

/// A well-behaved HTTP/1.1 server on 127.0.0.1 that answers by a closure and remembers what it was asked.
///
/// A closure that throws closes the connection without an answer, or, if it throws a ``BrokenOffReply``, in the middle of
/// one.
package final class LoopbackHTTPServer: Sendable {
  /// Answers one request.
  package typealias Responder = @Sendable (HTTPRequest, [UInt8]) async throws -> HTTPReply

  /// A request as it arrived.
  package struct ReceivedRequest: Hashable, Sendable {
    /// Method, authority (the `Host` field), path with its query, and the other fields.
    package var request: HTTPRequest
    /// The content.
    package var body: [UInt8]

    /// The path without its query.
    package var path: String { String((request.path ?? "").prefix { $0 != "?" }) }
  }

  typealias Listener = LoopbackListener<HTTPServerRequestPart, HTTPServerResponsePart>

  /// The most bytes a request's content may have.
  static let requestByteCountMax = 64 << 20

  private let listener: Listener
  private let journal: RequestJournal
  private let isSecure: Bool

  /// Makes a server that is not yet started.
  ///
  /// - Parameters:
  ///   - secure: Whether it speaks TLS, with the self-signed ``LoopbackCertificate``.
  ///   - respond: Answers a request; calls of several connections overlap. Its reply goes out as it is, with a
  ///     `Content-Length` if the reply has none.
  package init(secure: Bool = false, respond: @escaping Responder) {
    let journal = RequestJournal()
    self.journal = journal
    self.isSecure = secure
    self.listener = Listener { channel in
      if secure {
        try channel.pipeline.syncOperations.addHandler(
          NIOSSLServerHandler(context: LoopbackCertificate.serverContext()))
      }
      try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
      return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
    } serve: { connection, _ in
      // A peer that goes away ends the conversation; that is no failure of the server.
      try? await HTTPConversation(journal: journal, respond: respond).run(on: connection)
    }
  }

  /// Makes a server that passes every request on to `session`.
  ///
  /// The session's reply is decoded, so its `Content-Encoding`, `Content-Length` and `Transfer-Encoding` are
  /// dropped. A session that throws closes the connection without an answer.
  package convenience init(session: any HTTPSession) {
    self.init { request, body in
      var reply = try await session.send(request, body: body)
      for name in [HTTPField.Name.contentEncoding, .contentLength, .transferEncoding] {
        reply.head.headerFields[values: name] = []
      }
      return reply
    }
  }

  /// The port; reserved as long as the server lives, started or not.
  package var port: Int { listener.port }

  /// Host and port, for a request's authority.
  package var authority: String { "127.0.0.1:\(port)" }

  /// `http` or `https`.
  package var scheme: String { isSecure ? "https" : "http" }

  /// Scheme and authority: `http://127.0.0.1:` and the port.
  package var origin: String { "\(scheme)://\(authority)" }

  /// What was asked so far, in order of arrival, over all starts.
  package var requests: [ReceivedRequest] { journal.requests }

  /// How many requests arrived so far, over all starts.
  package var requestCount: Int { journal.requests.count }

  /// How many connections were accepted, over all starts.
  package var connectionCount: Int { listener.connectionCount }

  /// Makes a request to this server.
  package func request(
    _ path: String, method: HTTPRequest.Method = .get, headerFields: HTTPFields = [:]
  ) -> HTTPRequest {
    HTTPRequest(
      method: method, scheme: scheme, authority: authority, path: path, headerFields: headerFields)
  }

  /// Starts listening, on the same port as before if it was started before.
  package func start() async throws { try await listener.start() }

  /// Stops listening and closes every connection.
  package func stop() async { await listener.stop() }
}

/// A reply of which the first half of the body is sent under the length of the whole, and then the connection closed.
package struct BrokenOffReply: Error {
  package let reply: HTTPReply

  /// Makes a reply to break off.
  package init(_ reply: HTTPReply) { self.reply = reply }
}

/// What a server was asked.
final class RequestJournal: Sendable {
  private let entries = LockedValue<[LoopbackHTTPServer.ReceivedRequest]>([])

  var requests: [LoopbackHTTPServer.ReceivedRequest] { entries.withLock { $0 } }

  func append(_ request: LoopbackHTTPServer.ReceivedRequest) {
    entries.withLock { $0.append(request) }
  }
}
