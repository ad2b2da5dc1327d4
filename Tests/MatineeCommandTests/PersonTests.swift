import CatalogEngine
import Foundation
import Testing

@testable import MatineeCommand

@Suite struct `When a person or a company is printed` {
  private func person() throws -> CreditedPresentation {
    let code = try #require(PersonCode("20112313"))
    let details = PersonDetails(
      code: code, name: "강동원", nameEnglish: "GANG Dong-won", sex: "남자", role: "배우",
      homepages: ["http://example.org/\u{1B}[31m"],
      filmography: [
        FilmCredit(movieCode: try #require(MovieCode("20202247")), title: "브로커, 둘", part: "배우"),
        FilmCredit(movieCode: try #require(MovieCode("20182544")), title: "반도"),
      ])
    return CreditedPresentation(Reading(.personDetails(code), details))
  }

  private func company() throws -> CreditedPresentation {
    let code = try #require(CompanyCode("20122353"))
    let details = CompanyDetails(
      code: code, name: "㈜영화사 집", chief: "이유진", parts: ["제작사", "배급사"],
      filmography: [
        FilmCredit(movieCode: try #require(MovieCode("20202247")), title: "브로커", part: "제작사"),
        FilmCredit(movieCode: try #require(MovieCode("20202247")), title: "브로커", part: "배급사"),
      ])
    return CreditedPresentation(Reading(.companyDetails(code), details))
  }

  @Test func `a person's JSON has the details, the filmography and where they come from, in this order`()
    throws
  {
    let json = try person().json()
    #expect(
      memberNames(json) == [
        "resource", "code", "name", "nameEnglish", "sex", "role", "homepages", "filmography", " movieCode",
        " title", " part", "origin", "source", "fetchedAt", "ageSeconds", "freshness", "servedBecause",
        "lastAttemptAt", "nextAttemptAt", "revision",
      ])
    let object = try object(json)
    #expect(object["resource"] as? String == "kobis/person-details/20112313")
    #expect(object["nextAttemptAt"] is NSNull)
    let films = try #require(object["filmography"] as? [[String: Any]])
    #expect(films.map { $0["part"] is NSNull } == [false, true])
  }

  @Test func `a company's JSON has the same in its own way`() throws {
    let json = try company().json()
    #expect(
      memberNames(json) == [
        "resource", "code", "name", "nameEnglish", "chief", "parts", "filmography", " movieCode", " title",
        " part", "origin", "source", "fetchedAt", "ageSeconds", "freshness", "servedBecause", "lastAttemptAt",
        "nextAttemptAt", "revision",
      ])
    let object = try object(json)
    #expect(object["nameEnglish"] is NSNull)
    #expect(object["parts"] as? [String] == ["제작사", "배급사"])
  }

  @Test func `CSV is the filmography alone`() throws {
    #expect(
      try person().csv() == "movieCode,title,part\r\n20202247,\"브로커, 둘\",배우\r\n20182544,반도,\r\n")
  }

  @Test func `the table has a head of facts, and a row for each part, a movie counted once`() throws {
    let lines = try company().table(width: 60, style: .plain).split(separator: "\n").map(String.init)
    #expect(lines[0] == "㈜영화사 집")
    #expect(lines[1] == "kobis.or.kr · fetched 1 h ago · fresh")
    #expect(lines.contains("Chief      이유진"))
    #expect(lines.contains("Movies     1"))
    #expect(
      lines.suffix(3).map { String($0) } == [
        "Code      Title   Part", "20202247  브로커  제작사", "20202247  브로커  배급사",
      ])
  }

  @Test func `what an upstream wrote cannot steer a terminal`() throws {
    let table = try person().table(width: 60, style: .plain)
    #expect(!table.contains("\u{1B}"))
    #expect(table.hasPrefix("강동원 · GANG Dong-won\n"))
  }

  @Test func `asked offline, no database is made`() async throws {
    try await withDesk { desk in
      for arguments in [["person", "1", "--offline"], ["movie", "1", "--policy", "cache-only"], ["list"]] {
        _ = await desk.run(arguments)
        #expect(!FileManager.default.fileExists(atPath: desk.database.path))
      }
    }
  }
}
