public import CatalogEngine

// The long lists, and what a test does to them. An edit holds from now on, whatever the clock says.
extension KOBISSimulator {
  // MARK: What the lists hold

  /// How many rows a list has by the simulator's clock (KOBIS `totCnt`).
  public func rowCount(of list: CatalogList) -> Int {
    let edits = edits
    return switch list {
    case .movies: edits.movies.rowCount(inventedCount: SimulatedCatalog.movieCount(on: today))
    case .companies: edits.companies.rowCount(inventedCount: SimulatedCompanies.count)
    case .people: edits.people.rowCount(inventedCount: SimulatedPeople.count)
    }
  }

  /// The page of the list of movies that it answers: the newest first; without rows past the end.
  ///
  /// Movies are announced eight weeks before they open, and their day four weeks before.
  public func moviePage(
    _ number: Int, rowCount: Int = CatalogList.pageRowCount
  ) -> CatalogPage<ListedMovie> {
    let today = today
    let edits = edits.movies
    let count = SimulatedCatalog.movieCount(on: today)
    let rows = edits.page(number, rowCount: rowCount, inventedCount: count) { ordinal in
      catalog.movie(at: ordinal).map { ($0.code, catalog.listed($0, on: today)) }
    }
    return CatalogPage(number: number, totalCount: edits.rowCount(inventedCount: count), rows: rows)
  }

  /// The page of the list of companies that it answers; without rows past the end.
  public func companyPage(
    _ number: Int, rowCount: Int = CatalogList.pageRowCount
  ) -> CatalogPage<ListedCompany> {
    let today = today
    let edits = edits.companies
    let rows = edits.page(number, rowCount: rowCount, inventedCount: SimulatedCompanies.count) { index in
      catalog.listedCompany(at: index, on: today).map { ($0.code, $0) }
    }
    let totalCount = edits.rowCount(inventedCount: SimulatedCompanies.count)
    return CatalogPage(number: number, totalCount: totalCount, rows: rows)
  }

  /// The page of the list of people that it answers; without rows past the end.
  public func peoplePage(
    _ number: Int, rowCount: Int = CatalogList.pageRowCount
  ) -> CatalogPage<ListedPerson> {
    let today = today
    let edits = edits.people
    let rows = edits.page(number, rowCount: rowCount, inventedCount: SimulatedPeople.count) { index in
      catalog.listedPerson(at: index, on: today).map { ($0.code, $0) }
    }
    let totalCount = edits.rowCount(inventedCount: SimulatedPeople.count)
    return CatalogPage(number: number, totalCount: totalCount, rows: rows)
  }

  // MARK: What a test changes

  /// Lists a movie from now on: in the place of the row of its code, or before all others if there is none.
  ///
  /// Its details follow, as far as the row tells them.
  public func list(_ movie: ListedMovie) {
    let count = SimulatedCatalog.movieCount(on: today)
    edit {
      $0.movies.put(movie, movie.code, ordinal: catalog.ordinal(of: movie.code), inventedCount: count)
    }
  }

  /// Lists a company from now on: in the place of the row of its code, or before all others if there is none.
  ///
  /// Its details follow, as far as the row tells them.
  public func list(_ company: ListedCompany) {
    edit {
      $0.companies.put(
        company, company.code, ordinal: catalog.companies.index(of: company.code),
        inventedCount: SimulatedCompanies.count)
    }
  }

  /// Lists a person from now on: in the place of the row of their code, or before all others if there is none.
  ///
  /// Their details follow, as far as the row tells them.
  public func list(_ person: ListedPerson) {
    edit {
      $0.people.put(
        person, person.code, ordinal: catalog.people.index(of: person.code),
        inventedCount: SimulatedPeople.count)
    }
  }

  /// Takes a movie out of the list from now on; its details are those of a code that nobody has. Charts keep it.
  public func withdraw(_ code: MovieCode) {
    edit { $0.movies.withdraw(code, ordinal: catalog.ordinal(of: code)) }
  }

  /// Takes a company out of the list from now on; its details are those of a code that nobody has.
  public func withdraw(_ code: CompanyCode) {
    edit { $0.companies.withdraw(code, ordinal: catalog.companies.index(of: code)) }
  }

  /// Takes a person out of the list from now on; their details are those of a code that nobody has.
  public func withdraw(_ code: PersonCode) {
    edit { $0.people.withdraw(code, ordinal: catalog.people.index(of: code)) }
  }
}
