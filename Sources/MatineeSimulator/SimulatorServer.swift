import HTTPTransport
import HTTPTypes
package import Hummingbird
package import Logging
package import MatineeTesting

/// Serves a simulator over HTTP/1.1: every request's head is the simulator's to answer, and bodies are not read.
package struct SimulatorServer: Sendable {
  private let simulator: KOBISSimulator
  private let logger: Logger

  /// Makes a server, which listens from ``run(host:port:onListening:)`` on.
  package init(simulator: KOBISSimulator, logger: Logger) {
    self.simulator = simulator
    self.logger = logger
  }

  /// Listens until the process is told to end (SIGINT, SIGTERM) or the calling task is cancelled.
  ///
  /// - Parameter onListening: Called with the port once connections are taken.
  /// - Throws: An I/O error if the address cannot be listened on.
  package func run(host: String, port: Int, onListening: @escaping @Sendable (Int) -> Void) async throws {
    let application = Application(
      responder: responder, configuration: .init(address: .hostname(host, port: port)),
      onServerRunning: { channel in
        if let port = channel.localAddress?.port { onListening(port) }
      },
      logger: logger)
    try await application.runService()
  }

  /// What answers requests, with or without a socket before it.
  package var responder: CallbackResponder<BasicRequestContext> {
    CallbackResponder { [simulator] request, _ in
      let reply = simulator.reply(to: request.head)
      return Response(
        status: reply.head.status, headers: reply.head.headerFields,
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body)))
    }
  }
}
