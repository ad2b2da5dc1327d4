package import HTTPTransport
package import HTTPTypes

/// Runs `body` with a started ``LoopbackHTTPServer``, and stops it in the end.
package func withServer<Result: Sendable>(
  secure: Bool = false,
  respond: @escaping @Sendable (HTTPRequest, [UInt8]) async throws -> HTTPReply,
  _ body: (LoopbackHTTPServer) async throws -> Result
) async throws -> Result {
  try await running(LoopbackHTTPServer(secure: secure, respond: respond), body)
}

/// Runs `body` with a started server that passes every request on to `session`, and stops it in the end.
package func withServer<Result: Sendable>(
  session: any HTTPSession, _ body: (LoopbackHTTPServer) async throws -> Result
) async throws -> Result {
  try await running(LoopbackHTTPServer(session: session), body)
}

/// Runs `body` with a started ``FaultyServer`` that follows `script` on every connection.
package func withFaultyServer<Result: Sendable>(
  _ script: [ConnectionStep], _ body: (FaultyServer) async throws -> Result
) async throws -> Result {
  let server = FaultyServer(script: script)
  try await server.start()
  do {
    let result = try await body(server)
    await server.stop()
    return result
  } catch {
    await server.stop()
    throw error
  }
}

private func running<Result: Sendable>(
  _ server: LoopbackHTTPServer, _ body: (LoopbackHTTPServer) async throws -> Result
) async throws -> Result {
  try await server.start()
  do {
    let result = try await body(server)
    await server.stop()
    return result
  } catch {
    await server.stop()
    throw error
  }
}
