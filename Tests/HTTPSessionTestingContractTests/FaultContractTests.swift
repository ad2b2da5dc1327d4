import AsyncHTTPTransport
import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Testing
import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The same cases against a real loopback server that misbehaves and against the kit: to the code they must look
/// alike.
@Suite(.timeLimit(.minutes(5))) struct `When a fault is injected it looks as the real one` {
  /// Long enough for a busy machine, unless the deadline is the fault.
  private func limits(_ fault: FaultCase) -> TransportLimits {
    let total: Duration = fault.isSlow ? .milliseconds(200) : .seconds(60)
    return TransportLimits(total: total, connect: total)
  }

  private func code(
    _ fault: FaultCase, of session: any HTTPSession, _ request: HTTPRequest
  ) async -> TransportError.Code? {
    let limits = limits(fault)
    let error = await #expect(throws: TransportError.self) {
      _ = try await fault.cancelling { try await session.send(request, body: [], limits: limits) }
    }
    return error?.code
  }

  private var anywhere: HTTPRequest {
    HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/")
  }

  @Test(arguments: FaultCase.all) func `through AsyncHTTPClient`(fault: FaultCase) async throws {
    let real = try await fault.withReality { request in
      try await withAsyncHTTPSession { await code(fault, of: $0, request) }
    }
    let injected = await code(fault, of: injecting(fault), anywhere)
    #expect(real == injected)
  }

  @Test(arguments: FaultCase.all) func `through URLSession as an HTTPSession`(fault: FaultCase)
    async throws
  {
    let real = try await fault.withReality { request in
      let session = FoundationHTTPSession()
      defer { session.shutdown() }
      return await code(fault, of: session, request)
    }
    let injected = await code(fault, of: injecting(fault), anywhere)
    #expect(real == injected)
  }

  @Test(arguments: FaultCase.all) func `through a URLSession of one's own`(fault: FaultCase)
    async throws
  {
    let real = try await fault.withReality { request in
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      return try await urlErrorCode(fault, configuration, request)
    }
    let injected = try await urlErrorCode(fault, .stubbed(by: injecting(fault)), anywhere)
    #expect(real == injected)
    #expect(real == fault.fault.urlErrorCode)
  }

  private func injecting(_ fault: FaultCase) -> any HTTPSession {
    FaultySession(
      wrapping: StubSession(Stub(.any, .text("fine"))), plan: .always(fault.fault),
      clock: ImmediateClock())
  }

  private func urlErrorCode(
    _ fault: FaultCase, _ configuration: URLSessionConfiguration, _ request: HTTPRequest
  ) async throws -> URLError.Code? {
    let address = "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")"
    var urlRequest = URLRequest(url: try #require(URL(string: address)))
    // URLSession counts in whole seconds.
    urlRequest.timeoutInterval = fault.isSlow ? 1 : 60
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    let error: (any Error)? = await withCheckedContinuation { continuation in
      let task: URLSessionDataTask = session.dataTask(with: urlRequest) { _, _, error in
        continuation.resume(returning: error)
      }
      task.resume()
      if fault.isCancelled { task.cancel() }
    }
    return (error as? URLError)?.code
  }
}
