import CatalogEngine

/// All that a seed invents, and what KOBIS would say of it on a day: movies with their people and companies.
///
/// Movies are numbered from 0, from some weeks before the first chart on; people and companies are numbered too. What is
/// said of any of them is computed when it is asked for, and a list's page is a range of numbers.
struct SimulatedCatalog: Sendable {
  /// For how many weeks movies are announced before they open.
  static let announcedWeekCount = 8

  /// For how many days the opening day of an announced movie is told.
  static let datedDayCount = 28

  let boxOffice: SimulatedBoxOffice
  let people: SimulatedPeople
  let companies: SimulatedCompanies

  init(seed: UInt64) {
    boxOffice = SimulatedBoxOffice(seed: seed)
    people = SimulatedPeople(seed: seed)
    companies = SimulatedCompanies(seed: seed)
  }

  // MARK: Movies

  /// How many movies have opened or are announced on `today`.
  static func movieCount(on today: CalendarDay) -> Int {
    let last = CalendarDay.thursday(ofWeekWith: today.advanced(by: 7 * announcedWeekCount))
    return max(0, SimulatedMovie.ordinal(ofFirstOpeningInWeekOf: last) + SimulatedMovie.openingsPerWeek)
  }

  /// The movie of a number.
  func movie(at ordinal: Int) -> SimulatedMovie? { SimulatedMovie(ordinal: ordinal, seed: boxOffice.seed) }

  /// The number of the movie of a code, announced or not; `nil` if there will never be one.
  func ordinal(of code: MovieCode) -> Int? {
    boxOffice.movie(code).flatMap { $0.ordinal >= 0 ? $0.ordinal : nil }
  }

  /// A movie's details on `today`, which agree with its rows in the charts; once it has long opened if `nil`.
  func details(of movie: SimulatedMovie, on today: CalendarDay? = nil) -> MovieDetails {
    var details = movie.detailsWithoutPeople
    if let today { details.openedOn = movie.openedOn(toldOn: today) }
    details.status = movie.status(on: today)
    details.directors = people.people(.director, inMovie: movie.ordinal).map {
      .init(name: $0.name, nameEnglish: $0.nameEnglish)
    }
    details.actors = zip(people.people(.actor, inMovie: movie.ordinal), ["주인공", "친구", nil]).map {
      .init(name: $0.name, nameEnglish: $0.nameEnglish, role: $1)
    }
    details.companies = zip(companies.companies(inMovie: movie.ordinal), 0...).flatMap { company, part in
      movie.companyParts(part).map {
        .init(code: company.code.text, name: company.name, nameEnglish: company.nameEnglish, part: $0)
      }
    }
    let writers = movie.isWrittenByItsDirector ? people.people(.director, inMovie: movie.ordinal) : []
    let staff: [([SimulatedPerson], SimulatedPerson.Profession)] = [
      (writers, .writer), (people.people(.writer, inMovie: movie.ordinal), .writer),
      (people.people(.cinematographer, inMovie: movie.ordinal), .cinematographer),
    ]
    details.staff = staff.flatMap { members, profession in
      members.map { .init(name: $0.name, nameEnglish: $0.nameEnglish, role: profession.name) }
    }
    return details
  }

  /// The movie's row in the list of `today`.
  func listed(_ movie: SimulatedMovie, on today: CalendarDay) -> ListedMovie {
    let details = movie.detailsWithoutPeople
    return ListedMovie(
      code: movie.code, title: movie.title, titleEnglish: details.titleEnglish,
      productionYear: details.productionYear, openedOn: movie.openedOn(toldOn: today), type: details.type,
      status: movie.status(on: today), nations: details.nations.joined(separator: ","),
      genres: details.genres.joined(separator: ","), mainNation: details.nations.first,
      mainGenre: details.genres.first,
      directors: people.people(.director, inMovie: movie.ordinal).map(\.name),
      companies: companies.companies(inMovie: movie.ordinal).map { .init(code: $0.code, name: $0.name) })
  }

  // MARK: People

  /// The details on `today` of the person at an index.
  func personDetails(at index: Int, on today: CalendarDay) -> PersonDetails? {
    guard let person = people.person(at: index) else { return nil }
    let credits = movies(ofPersonAt: index, on: today).flatMap { movie in
      let parts =
        person.profession == .director && movie.isWrittenByItsDirector
        ? [SimulatedPerson.Profession.director, .writer] : [person.profession]
      return parts.map { FilmCredit(movieCode: movie.code, title: movie.title, part: $0.name) }
    }
    return PersonDetails(
      code: person.code, name: person.name, nameEnglish: person.nameEnglish, sex: person.sex,
      role: person.profession.name, filmography: credits)
  }

  /// The row in the list of `today` of the person at an index.
  func listedPerson(at index: Int, on today: CalendarDay) -> ListedPerson? {
    people.person(at: index).map { person in
      ListedPerson(
        code: person.code, name: person.name, nameEnglish: person.nameEnglish, role: person.profession.name,
        filmography: Self.joined(movies(ofPersonAt: index, on: today).map(\.title), by: "|"))
    }
  }

  private func movies(ofPersonAt index: Int, on today: CalendarDay) -> [SimulatedMovie] {
    people.movies(ofPersonAt: index, ofMovies: Self.movieCount(on: today)).compactMap { movie(at: $0) }
  }

  // MARK: Companies

  /// The details on `today` of the company at an index.
  func companyDetails(at index: Int, on today: CalendarDay) -> CompanyDetails? {
    companies.company(at: index).map { company in
      let credits = credits(ofCompanyAt: index, on: today)
      return CompanyDetails(
        code: company.code, name: company.name, nameEnglish: company.nameEnglish, chief: company.chief,
        parts: Self.distinctParts(of: credits), filmography: credits)
    }
  }

  /// The row in the list of `today` of the company at an index.
  func listedCompany(at index: Int, on today: CalendarDay) -> ListedCompany? {
    companies.company(at: index).map { company in
      let credits = credits(ofCompanyAt: index, on: today)
      return ListedCompany(
        code: company.code, name: company.name, nameEnglish: company.nameEnglish,
        parts: Self.joined(Self.distinctParts(of: credits), by: ","), chief: company.chief,
        filmography: Self.joined(credits.map(\.title), by: ","))
    }
  }

  private func credits(ofCompanyAt index: Int, on today: CalendarDay) -> [FilmCredit] {
    companies.parts(ofCompanyAt: index, ofMovies: Self.movieCount(on: today)).flatMap { ordinal, part in
      movie(at: ordinal).map { movie in
        movie.companyParts(part).map {
          FilmCredit(movieCode: movie.code, title: movie.title, part: $0)
        }
      } ?? []
    }
  }

  private static func distinctParts(of credits: [FilmCredit]) -> [String] {
    Set(credits.compactMap(\.part)).sorted()
  }

  /// The texts, each once, in their order; `nil` if there are none.
  private static func joined(_ texts: [String], by separator: String) -> String? {
    var seen: Set<String> = []
    let distinct = texts.filter { seen.insert($0).inserted }
    return distinct.isEmpty ? nil : distinct.joined(separator: separator)
  }
}
