import CatalogEngine
import MatineeTesting
import Testing

@Suite struct `When a test changes the simulator's lists` {
  @Test func `a withdrawn movie leaves the list, and its details are KOBIS's no`() async throws {
    let desk = try SimulatorDesk()
    let before = try await desk.movies()
    let withdrawn = [before[0], before[99], before[100], before[before.count - 1]].map(\.code)
    for code in withdrawn { desk.simulator.withdraw(code) }
    desk.simulator.withdraw(withdrawn[0])
    let after = try await desk.movies()
    #expect(after == before.filter { !withdrawn.contains($0.code) })
    #expect(desk.simulator.rowCount(of: .movies) == before.count - 4)
    for code in withdrawn {
      let failure = await #expect(throws: CatalogFailure.self) { try await desk.value(.movieDetails(code)) }
      #expect(failure?.isUnknownCode == true)
    }
  }

  @Test func `a movie that is added stands first, and has details`() async throws {
    let desk = try SimulatorDesk()
    let before = try await desk.movies()
    let row = ListedMovie(
      code: try #require(MovieCode("2099X001")), title: "새 영화", productionYear: 2024, status: "기타",
      nations: "한국,프랑스", directors: ["김하나"],
      companies: [.init(code: CompanyCode("20200001"), name: "새 회사")])
    desk.simulator.list(row)
    #expect(try await desk.movies() == [row] + before)
    guard case .movieDetails(let details) = try await desk.value(.movieDetails(row.code)) else {
      Issue.record("no details")
      return
    }
    #expect(details.title == "새 영화" && details.nations == ["한국", "프랑스"])
    #expect(details.directors == [.init(name: "김하나")])
    #expect(details.companies == [.init(code: "20200001", name: "새 회사")])
    desk.simulator.withdraw(row.code)
    #expect(try await desk.movies() == before)
  }

  @Test func `a movie that is changed keeps its place, and its details follow`() async throws {
    let desk = try SimulatorDesk()
    let before = try await desk.movies()
    var row = before[150]
    row.title = "다른 제목"
    row.openedOn = nil
    desk.simulator.list(row)
    var expected = before
    expected[150] = row
    #expect(try await desk.movies() == expected)
    let details = try #require(desk.simulator.details(of: row.code))
    #expect(details.title == "다른 제목" && details.openedOn == nil)
    #expect(details.directors.map(\.name) == row.directors && details.actors.count == 3)
    row.title = "또 다른 제목"
    desk.simulator.list(row)
    expected[150] = row
    #expect(try await desk.movies() == expected)
  }

  @Test func `a movie that is listed again after it was withdrawn stands first`() async throws {
    let desk = try SimulatorDesk()
    let before = try await desk.movies()
    desk.simulator.withdraw(before[3].code)
    desk.simulator.list(before[3])
    #expect(
      try await desk.movies().map(\.code) == [before[3].code]
        + before.map(\.code).filter { $0 != before[3].code })
    #expect(desk.simulator.details(of: before[3].code)?.title == before[3].title)
  }

  @Test func `a movie that is listed before it is announced is there once, then and later`() async throws {
    let desk = try SimulatorDesk()
    let later = try SimulatorDesk(on: 20_240_805)
    let row = try #require(later.simulator.moviePage(1).rows.first)
    desk.simulator.list(row)
    let total = desk.simulator.rowCount(of: .movies)
    desk.advance(byDays: 63)
    let movies = try await desk.movies()
    #expect(movies.count(where: { $0.code == row.code }) == 1)
    // Nine weeks bring five each, one of which was there already.
    #expect(desk.simulator.rowCount(of: .movies) == total + 44)
    #expect(movies.count == total + 44)
  }

  @Test func `people are added, changed and withdrawn`() async throws {
    let desk = try SimulatorDesk()
    let before = try await desk.people()
    let added = ListedPerson(code: try #require(PersonCode("10000558")), name: "김하나", role: "배우")
    desk.simulator.list(added)
    var changed = before[200]
    changed.nameEnglish = "KIM Hana"
    desk.simulator.list(changed)
    desk.simulator.withdraw(before[100].code)
    var expected = [added] + before
    expected[201] = changed
    expected.remove(at: 101)
    #expect(try await desk.people() == expected)
    #expect(desk.simulator.details(of: added.code)?.role == "배우")
    #expect(desk.simulator.details(of: changed.code)?.nameEnglish == "KIM Hana")
    #expect(desk.simulator.details(of: before[100].code) == nil)
  }

  @Test func `companies are added, changed and withdrawn`() async throws {
    let desk = try SimulatorDesk()
    let before = try await desk.companies()
    let added = ListedCompany(code: try #require(CompanyCode("2010123")), name: "섬", parts: "제작사,제공")
    desk.simulator.list(added)
    var changed = before[200]
    changed.chief = "나두리"
    desk.simulator.list(changed)
    desk.simulator.withdraw(before[100].code)
    var expected = [added] + before
    expected[201] = changed
    expected.remove(at: 101)
    #expect(try await desk.companies() == expected)
    #expect(desk.simulator.details(of: added.code)?.parts == ["제작사", "제공"])
    #expect(desk.simulator.details(of: changed.code)?.chief == "나두리")
    #expect(desk.simulator.details(of: before[100].code) == nil)
  }

  @Test func `any answer can be the test's own, and its calls are counted`() async throws {
    let desk = try SimulatorDesk()
    let own: [CatalogValue] = [
      .personDetails(
        PersonDetails(
          code: try #require(PersonCode("1")), name: "김하나", homepages: ["https://example.org"])),
      .companyDetails(CompanyDetails(code: try #require(CompanyCode("1")), name: "섬", parts: ["제공"])),
      .codes(CodeTable(list: .areas, entries: [.init(code: "0105001", name: "서울시", nameEnglish: "Seoul")])),
      .moviePage(CatalogPage(number: 2, totalCount: 7, rows: [])),
      .companyPage(CatalogPage(number: 2, totalCount: 7, rows: [])),
      .peoplePage(CatalogPage(number: 2, totalCount: 7, rows: [])),
    ]
    for value in own {
      desk.simulator.answer(with: value)
      #expect(try await desk.value(value.subject) == value)
      #expect(desk.simulator.callCount(for: value.subject) == 1)
      desk.simulator.answer(value.subject, with: Array("<html>".utf8))
      await #expect(throws: CatalogFailure.self) { try await desk.value(value.subject) }
      desk.simulator.answer(value.subject, with: nil)
      #expect(desk.simulator.callCount(for: value.subject) == 2)
    }
    #expect(try await desk.value(.page(.movies, 2)) == .moviePage(desk.simulator.moviePage(2)))
  }
}
