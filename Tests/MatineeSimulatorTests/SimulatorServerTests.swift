import CatalogEngine
import HTTPTransport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import KOBIS
import Logging
import MatineeTesting
import Testing

@testable import matinee_simulator

@Suite struct `When the simulator is served` {
  @Test(arguments: [TestingSetup.router, .live])
  func `a request is answered as it is in the process`(_ setup: TestingSetup) async throws {
    let day = try #require(CalendarDay(number: 20_240_603))
    let simulator = KOBISSimulator(key: try APIKey("demo"), now: { day.startInKorea })
    let server = SimulatorServer(
      simulator: simulator, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    let application = Application(
      responder: server.responder, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
    let path = "/boxoffice/searchDailyBoxOfficeList.json?key=demo&targetDt=20240601"
    try await application.test(setup) { client in
      let page = "/movie/searchMovieList.json?key=demo&curPage=2&itemPerPage=100"
      for path in [path, path + "x", page, "/movie/searchMovieInfo.json?key=demo", "/nowhere"] {
        let request = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: path)
        let expected = simulator.reply(to: request)
        let response = try await client.execute(uri: path, method: .get)
        #expect(response.status == expected.status)
        #expect(Array(buffer: response.body) == expected.body)
        #expect(response.headers[.contentType] == expected.head.headerFields[.contentType])
      }
    }
    #expect(simulator.callCount == 8)
  }
}
