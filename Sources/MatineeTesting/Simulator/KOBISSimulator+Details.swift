public import CatalogEngine

extension KOBISSimulator {
  /// The details that it answers; `nil` if it has invented no movie of the code, has not announced it by its clock, or a
  /// test has withdrawn it.
  public func details(of code: MovieCode) -> MovieDetails? {
    let today = today
    let edits = edits.movies
    let ordinal = catalog.ordinal(of: code)
    guard
      edits.holds(code, ordinal: ordinal, inventedCount: SimulatedCatalog.movieCount(on: today))
    else { return nil }
    let invented = ordinal.flatMap { catalog.movie(at: $0) }.map { catalog.details(of: $0, on: today) }
    guard let row = edits.row(of: code) else { return invented }
    return (invented ?? MovieDetails(code: code, title: row.title)).agreeing(with: row)
  }

  /// The details that it answers; `nil` if it has invented no person of the code, or a test has withdrawn them.
  public func details(of code: PersonCode) -> PersonDetails? {
    let edits = edits.people
    let index = catalog.people.index(of: code)
    guard edits.holds(code, ordinal: index, inventedCount: SimulatedPeople.count) else { return nil }
    let invented = index.flatMap { catalog.personDetails(at: $0, on: today) }
    guard let row = edits.row(of: code) else { return invented }
    var details = invented ?? PersonDetails(code: code, name: row.name)
    details.name = row.name
    details.nameEnglish = row.nameEnglish
    details.role = row.role
    return details
  }

  /// The details that it answers; `nil` if it has invented no company of the code, or a test has withdrawn it.
  public func details(of code: CompanyCode) -> CompanyDetails? {
    let edits = edits.companies
    let index = catalog.companies.index(of: code)
    guard edits.holds(code, ordinal: index, inventedCount: SimulatedCompanies.count) else { return nil }
    let invented = index.flatMap { catalog.companyDetails(at: $0, on: today) }
    guard let row = edits.row(of: code) else { return invented }
    var details = invented ?? CompanyDetails(code: code, name: row.name)
    details.name = row.name
    details.nameEnglish = row.nameEnglish
    details.chief = row.chief
    details.parts = row.parts.texts
    return details
  }
}

extension MovieDetails {
  /// The details with all that a row of the list tells; people and companies that it names anew are names alone.
  fileprivate func agreeing(with row: ListedMovie) -> MovieDetails {
    var details = self
    details.title = row.title
    details.titleEnglish = row.titleEnglish
    details.productionYear = row.productionYear
    details.openedOn = row.openedOn
    details.type = row.type
    details.status = row.status
    details.nations = row.nations.texts
    details.genres = row.genres.texts
    if directors.map(\.name) != row.directors { details.directors = row.directors.map { Person(name: $0) } }
    let codes = Set(companies.map(\.code))
    if codes != Set(row.companies.map { $0.code?.text }) {
      details.companies = row.companies.map { Company(code: $0.code?.text, name: $0.name) }
    }
    return details
  }
}

extension String? {
  /// The texts between commas.
  fileprivate var texts: [String] { self?.split(separator: ",").map { String($0) } ?? [] }
}
