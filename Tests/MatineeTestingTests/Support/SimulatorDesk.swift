import CatalogEngine
import HTTPTransport
import HTTPTypes
import KOBIS
import MatineeTesting
import Testing

/// A simulator with a clock that a test sets, asked and read as a catalogue does.
struct SimulatorDesk: Sendable {
  private let instant: LockedValue<Timestamp>
  let simulator: KOBISSimulator

  /// Makes a simulator whose clock stands at noon of a day in Korea.
  init(on number: Int = 20_240_603, seed: UInt64 = 1) throws {
    let day = try #require(CalendarDay(number: number))
    let instant = LockedValue(day.startInKorea.advanced(by: .seconds(12 * 3600)))
    self.instant = instant
    simulator = KOBISSimulator(seed: seed, now: { instant.withLock { $0 } })
  }

  /// The Korean day it is.
  var today: CalendarDay { CalendarDay(inKoreaAt: instant.withLock { $0 }) }

  /// Moves the clock on by whole days.
  func advance(byDays count: Int) {
    instant.withLock { $0 = $0.advanced(by: .seconds(86_400 * count)) }
  }

  /// The answer to a subject, sent as a request and decoded.
  func value(_ subject: ResourceID.Subject) async throws -> CatalogValue {
    let source = KOBISSource(key: try APIKey("any"))
    let reply = try await simulator.send(source.request(for: subject))
    #expect(reply.status == .ok)
    return try source.value(from: reply.body, for: subject)
  }

  /// The body of a path.
  func body(_ path: String) async throws -> String {
    let request = HTTPRequest(method: .get, scheme: "https", authority: "kobis.or.kr", path: path)
    return String(decoding: try await simulator.send(request).body, as: UTF8.self)
  }

  /// All rows of the list of movies, asked for page by page until one is empty.
  func movies() async throws -> [ListedMovie] {
    var rows: [ListedMovie] = []
    for number in 1...CatalogList.pageCountMax {
      guard case .moviePage(let page) = try await value(.page(.movies, number)), !page.rows.isEmpty else {
        break
      }
      #expect(page.totalCount == simulator.rowCount(of: .movies))
      rows += page.rows
    }
    return rows
  }

  /// All rows of the list of people, asked for page by page until one is empty.
  func people() async throws -> [ListedPerson] {
    var rows: [ListedPerson] = []
    for number in 1...CatalogList.pageCountMax {
      guard case .peoplePage(let page) = try await value(.page(.people, number)), !page.rows.isEmpty else {
        break
      }
      #expect(page.totalCount == simulator.rowCount(of: .people))
      rows += page.rows
    }
    return rows
  }

  /// All rows of the list of companies, asked for page by page until one is empty.
  func companies() async throws -> [ListedCompany] {
    var rows: [ListedCompany] = []
    for number in 1...CatalogList.pageCountMax {
      guard case .companyPage(let page) = try await value(.page(.companies, number)), !page.rows.isEmpty
      else { break }
      #expect(page.totalCount == simulator.rowCount(of: .companies))
      rows += page.rows
    }
    return rows
  }
}
