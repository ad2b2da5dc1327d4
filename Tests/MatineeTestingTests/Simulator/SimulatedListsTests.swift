import CatalogEngine
import KOBIS
import MatineeTesting
import Testing

@Suite struct `When the simulator's lists are walked` {
  @Test func `every movie is listed once, the newest first`() async throws {
    let desk = try SimulatorDesk()
    let movies = try await desk.movies()
    #expect(movies.count == desk.simulator.rowCount(of: .movies))
    #expect(Set(movies.map(\.code)).count == movies.count)
    // Openings stray from their week's Thursday by a day.
    let openings = movies.compactMap(\.openedOn)
    #expect(zip(openings, openings.dropFirst()).allSatisfy { $0.days(until: $1) <= 2 })
    #expect(movies.contains { $0.code.text.contains("C") })
    #expect(movies.count > 5000)
  }

  @Test func `every movie in a chart is listed, and its row agrees with its details`() async throws {
    let desk = try SimulatorDesk(on: 20_040_603)
    let rows = Dictionary(uniqueKeysWithValues: try await desk.movies().map { ($0.code, $0) })
    for offset in 0..<200 {
      let day = KOBISSource.firstDay.advanced(by: offset)
      for entry in desk.simulator.chart(of: .daily(day)).entries {
        #expect(rows[entry.movieCode]?.title == entry.title)
      }
    }
    for row in rows.values {
      let details = try #require(desk.simulator.details(of: row.code))
      #expect(details.title == row.title && details.titleEnglish == row.titleEnglish)
      #expect(details.openedOn == row.openedOn && details.status == row.status)
      #expect(details.productionYear == row.productionYear && details.nations.first == row.mainNation)
      #expect(details.directors.map(\.name) == row.directors)
      #expect(Set(details.companies.map(\.code)) == Set(row.companies.map { $0.code?.text }))
    }
  }

  @Test func `pages of any size part the same list`() throws {
    let desk = try SimulatorDesk(on: 20_040_103)
    let total = desk.simulator.rowCount(of: .movies)
    for rowCount in [1, 7, 10, 100] {
      let pages = (1...total / rowCount + 2).map { desk.simulator.moviePage($0, rowCount: rowCount) }
      #expect(pages.allSatisfy { $0.totalCount == total && $0.rows.count <= rowCount })
      #expect(pages.last?.rows.isEmpty == true)
      #expect(pages.flatMap(\.rows).count == total)
      #expect(pages.flatMap(\.rows) == (1...total / 100 + 1).flatMap { desk.simulator.moviePage($0).rows })
    }
    #expect(desk.simulator.moviePage(.max).rows.isEmpty)
    #expect(desk.simulator.peoplePage(0).rows.isEmpty)
  }

  @Test func `without parameters it is the first page of ten`() async throws {
    let desk = try SimulatorDesk()
    for path in ["movie/searchMovieList", "company/searchCompanyList", "people/searchPeopleList"] {
      let text = try await desk.body("/\(path).json")
      #expect(text.matches(of: /"(movie|company|people)Nm":"[^"]+","(movie|company|people)NmEn"/).count == 10)
    }
    let four = try await desk.body("/people/searchPeopleList.json?curPage=3&itemPerPage=4")
    #expect(desk.simulator.peoplePage(3, rowCount: 4).rows.allSatisfy { four.contains($0.code.text) })
  }

  @Test func `a page past the end has no rows and counts the whole`() async throws {
    let desk = try SimulatorDesk()
    for list in CatalogList.allCases {
      let total = desk.simulator.rowCount(of: list)
      let value = try await desk.value(.page(list, CatalogList.pageCount(ofRows: total) + 1))
      #expect(value.isEmpty)
      if case .peoplePage(let page) = value { #expect(page.totalCount == total) }
    }
  }

  @Test func `weeks bring new movies to the front, and announced ones a day and a new state`() throws {
    let desk = try SimulatorDesk()
    let before = desk.simulator.moviePage(1).rows
    let total = desk.simulator.rowCount(of: .movies)
    #expect(before.first?.openedOn == nil && before.first?.status == "개봉예정")
    desk.advance(byDays: 7)
    let after = desk.simulator.moviePage(1).rows
    #expect(desk.simulator.rowCount(of: .movies) == total + 5)
    #expect(after.dropFirst(5).map(\.code) == before.dropLast(5).map(\.code))
    desk.advance(byDays: 63)
    let code = try #require(before.first?.code)
    let details = try #require(desk.simulator.details(of: code))
    #expect(details.openedOn.map { $0 <= desk.today } == true)
    #expect(details.status == "개봉")
  }

  @Test func `a movie that is not announced yet is KOBIS's no`() async throws {
    let desk = try SimulatorDesk()
    let future = try SimulatorDesk(on: 20_250_603)
    let code = try #require(future.simulator.moviePage(1).rows.first?.code)
    let failure = await #expect(throws: CatalogFailure.self) { try await desk.value(.movieDetails(code)) }
    #expect(failure?.detail == CatalogFailure.unknownMovieDetail)
  }
}

@Suite struct `When the simulator has people and companies` {
  @Test func `some thousand people are listed once each, some of one name`() async throws {
    let people = try await SimulatorDesk().people()
    #expect((3000...4000).contains(people.count))
    #expect(Set(people.map(\.code)).count == people.count)
    let namesakes = Dictionary(grouping: people, by: \.name).values.filter { $0.count > 1 }
    #expect(!namesakes.isEmpty)
    #expect(people.contains { $0.nameEnglish == nil })
  }

  @Test func `some hundred companies are listed once each, with codes of six and eight digits`() async throws
  {
    let companies = try await SimulatorDesk().companies()
    #expect((200...500).contains(companies.count))
    #expect(Set(companies.map(\.code)).count == companies.count)
    #expect(Set(companies.map(\.code.text.count)) == [6, 8])
  }

  @Test(arguments: 1...2)
  func `who is in a movie's details has the movie in their own, and nobody else has`(_ seed: UInt64)
    async throws
  {
    let desk = try SimulatorDesk(on: 20_050_603, seed: seed)
    var ofMovies: [MovieCode: Set<[String]>] = [:]
    for row in try await desk.movies() {
      let details = try #require(desk.simulator.details(of: row.code))
      ofMovies[row.code] = Set(
        details.directors.map { ["감독", $0.name] } + details.actors.map { ["배우", $0.name] }
          + details.staff.map { [$0.role ?? "", $0.name] })
    }
    var ofPeople: [MovieCode: Set<[String]>] = [:]
    for row in try await desk.people() {
      let person = try #require(desk.simulator.details(of: row.code))
      #expect(person.name == row.name && person.nameEnglish == row.nameEnglish && person.role == row.role)
      for credit in person.filmography {
        ofPeople[credit.movieCode, default: []].insert([credit.part ?? "", person.name])
      }
    }
    #expect(ofMovies == ofPeople)
  }

  @Test func `a company has in its filmography what movies say of it`() async throws {
    let desk = try SimulatorDesk(on: 20_050_603)
    var ofMovies: Set<[String]> = []
    for row in try await desk.movies() {
      let details = try #require(desk.simulator.details(of: row.code))
      for company in details.companies {
        ofMovies.insert([details.code.text, details.title, company.code ?? "", company.part ?? ""])
      }
    }
    var ofCompanies: Set<[String]> = []
    for row in try await desk.companies() {
      let company = try #require(desk.simulator.details(of: row.code))
      #expect(company.name == row.name && company.chief == row.chief)
      #expect(company.parts.joined(separator: ",") == row.parts ?? "")
      for credit in company.filmography {
        ofCompanies.insert([credit.movieCode.text, credit.title, company.code.text, credit.part ?? ""])
      }
    }
    #expect(ofMovies == ofCompanies)
  }

  @Test func `what is decoded is what it says it knows`() async throws {
    let desk = try SimulatorDesk()
    let person = try #require(desk.simulator.peoplePage(7).rows.last?.code)
    let company = try #require(desk.simulator.companyPage(2).rows.last?.code)
    #expect(
      try await desk.value(.personDetails(person))
        == .personDetails(#require(desk.simulator.details(of: person))))
    #expect(
      try await desk.value(.companyDetails(company))
        == .companyDetails(#require(desk.simulator.details(of: company))))
    #expect(try await desk.value(.page(.movies, 3)) == .moviePage(desk.simulator.moviePage(3)))
    #expect(try await desk.value(.page(.people, 3)) == .peoplePage(desk.simulator.peoplePage(3)))
    #expect(try await desk.value(.page(.companies, 3)) == .companyPage(desk.simulator.companyPage(3)))
    for list in CodeList.allCases {
      #expect(try await desk.value(.codes(list)) == .codes(desk.simulator.codes(list)))
    }
    #expect(try await desk.body("/code/searchCodeList.json?comCode=9999") == "{\"codes\":[]}")
  }

  @Test func `codes that nobody has are KOBIS's no`() async throws {
    let desk = try SimulatorDesk()
    let subjects: [(ResourceID.Subject, String)] = [
      (.personDetails(try #require(PersonCode("99"))), CatalogFailure.unknownPersonDetail),
      (.personDetails(try #require(PersonCode("020100001"))), CatalogFailure.unknownPersonDetail),
      (.companyDetails(try #require(CompanyCode("201000"))), CatalogFailure.unknownCompanyDetail),
      (.companyDetails(try #require(CompanyCode("20200309"))), CatalogFailure.unknownCompanyDetail),
    ]
    for (subject, detail) in subjects {
      let failure = await #expect(throws: CatalogFailure.self) { try await desk.value(subject) }
      #expect(failure?.detail == detail)
    }
  }
}
