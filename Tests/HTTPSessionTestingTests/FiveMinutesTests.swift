// The snippets of "Test your networking code in five minutes": what stands between `// snippet` and `// end` is on
// the page, word for word, and DocumentationTests holds the two together.

// snippet
import Foundation
import HTTPSessionTesting
import HTTPSessionTestingTraits
import HTTPTransport
import HTTPTypes
import Testing
import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
// end

// snippet
struct WeatherClient: Sendable {
  let session: any HTTPSession
  var clock: any Clock<Duration> = ContinuousClock()

  func temperature(in city: String) async throws -> Double {
    let request = HTTPRequest(
      method: .get, scheme: "https", authority: "weather.example", path: "/v1/now?city=\(city)")
    let reply = try await session.send(request)
    guard reply.status == .ok else { throw WeatherError.status(reply.status.code) }
    return try JSONDecoder().decode(Weather.self, from: Data(reply.body)).celsius
  }

  func temperatureWithRetry(in city: String) async throws -> Double {
    do {
      return try await temperature(in: city)
    } catch {
      try await clock.sleep(for: .seconds(30))
      return try await temperature(in: city)
    }
  }
}

struct Weather: Decodable { let celsius: Double }

enum WeatherError: Error, Equatable { case status(Int) }
// end

// snippet
struct UserWeather: Sendable {
  let urlSession: URLSession

  func text() async throws -> String {
    guard let url = URL(string: "https://weather.example/v1/text") else { throw URLError(.badURL) }
    let (data, _) = try await urlSession.data(from: url)
    return String(decoding: data, as: UTF8.self)
  }
}
// end

@Suite struct `When a stranger follows the page` {
  // snippet
  @Test func `the temperature is read from the answer`() async throws {
    let session = StubSession(
      Stub(.get("/v1/now?city=Seoul"), .json(["celsius": -3.5])))
    let client = WeatherClient(session: session)
    #expect(try await client.temperature(in: "Seoul") == -3.5)
  }
  // end

  // snippet
  @Test func `a busy server and a broken line are errors`() async throws {
    let session = StubSession(
      Stub(.any, .status(.serviceUnavailable), .fault(.resetInBody)))
    let client = WeatherClient(session: session)
    await #expect(throws: WeatherError.status(503)) {
      try await client.temperature(in: "Seoul")
    }
    let error = await #expect(throws: TransportError.self) {
      try await client.temperature(in: "Seoul")
    }
    #expect(error?.code == .connectionLost)
  }
  // end

  // snippet
  @Test func `the second attempt comes after thirty seconds`() async throws {
    let clock = ManualClock()
    let session = StubSession(
      Stub(.any, .fault(.offline), .json(["celsius": 21])))
    let client = WeatherClient(session: session, clock: clock)

    async let temperature = client.temperatureWithRetry(in: "Seoul")
    try await clock.waitForSleepers()
    #expect(session.journal.count == 1)
    clock.advance(by: .seconds(30))

    #expect(try await temperature == 21)
    #expect(session.journal.requests.map { $0.queryValue("city") } == ["Seoul", "Seoul"])
  }
  // end

  // snippet
  @Test func `code that owns a URLSession is stubbed by its configuration`() async throws {
    let session = StubSession(Stub(.get("/v1/text"), .text("sunny")))
    let user = UserWeather(urlSession: URLSession(configuration: .stubbed(by: session)))
    #expect(try await user.text() == "sunny")
  }
  // end

  // snippet
  @Test func `a data task completes once, after resume`() async throws {
    let session = StubDataTaskSession(StubSession(Stub(.any, .text("sunny"))))
    let url = try #require(URL(string: "https://weather.example/v1/text"))
    let data: Data? = await withCheckedContinuation { continuation in
      let task = session.dataTask(with: url) { data, _, _ in continuation.resume(returning: data) }
      task.resume()
    }
    #expect(data == Data("sunny".utf8))
    #expect(session.tasks.map(\.resumeCount) == [1])
  }
  // end

  @Test func `what is recorded once is replayed`() async throws {
    let file = try TemporaryFile("weather.json").url
    let realSession = StubSession(Stub(.any, .json(["celsius": 4])))
    // snippet
    let recording = try CassetteSession(file: file, mode: .once, upstream: realSession)
    let live = try await WeatherClient(session: recording).temperature(in: "Seoul")
    try recording.finish()

    let replaying = try CassetteSession(file: file)
    let replayed = try await WeatherClient(session: replaying).temperature(in: "Seoul")
    #expect(live == replayed)
    // end
  }

  // snippet
  @Test(.cassette("weather"))
  func `the recorded weather is read`() async throws {
    let client = WeatherClient(session: try CassetteSession.current)
    #expect(try await client.temperature(in: "Seoul") == 4)
  }
  // end

  // snippet
  @Test func `the client copes with a line that fails now and then`() async throws {
    let upstream = FakeWeather(celsius: ["Seoul": 21])
    let shaken = FaultySession(
      wrapping: upstream, plan: .random(probability: 0.5, faults: [.offline, .emptyReply], seed: 7))
    let client = WeatherClient(session: shaken, clock: ImmediateClock())

    var failureCount = 0
    for _ in 0..<50 {
      do { #expect(try await client.temperatureWithRetry(in: "Seoul") == 21) } catch {
        failureCount += 1
      }
    }
    #expect(failureCount > 0 && failureCount < 25)
  }
  // end

  // snippet
  @Test(.stubbed(Stub(.get("/v1/now?city=Seoul"), .json(["celsius": 9]))))
  func `the trait brings the session and checks that every stub was used`() async throws {
    let client = WeatherClient(session: StubSession.current)
    #expect(try await client.temperature(in: "Seoul") == 9)
  }
  // end
}

// snippet
struct FakeWeather: HTTPSession {
  let celsius: [String: Double]

  func send(
    _ request: HTTPRequest, body: [UInt8], limits: TransportLimits
  ) async throws -> HTTPReply {
    let city = SentRequest(request).queryValue("city") ?? ""
    guard let value = celsius[city] else { return HTTPReply(head: HTTPResponse(status: .notFound)) }
    return .json(["celsius": .number(value)])
  }
}
// end
