/// The upstream's long lists, which are asked for page by page.
public enum CatalogList: String, CaseIterable, Hashable, Sendable {
  /// Every movie (KOBIS `searchMovieList`).
  case movies
  /// Every company (KOBIS `searchCompanyList`).
  case companies
  /// Every person (KOBIS `searchPeopleList`).
  case people

  /// The rows of a page, the last one's aside (KOBIS `itemPerPage`).
  public static let pageRowCount = 100

  /// The most pages that a list may have; the longest known, of people, has about 1,900.
  public static let pageCountMax = 20_000

  /// The pages that a list of so many rows has.
  public static func pageCount(ofRows totalCount: Int) -> Int {
    (totalCount + pageRowCount - 1) / pageRowCount
  }
}

/// One page of one of the upstream's long lists.
///
/// Pages are counted from the list's newest rows as it is when it is asked, so that a row moves from page to page as
/// others are added. What matters is the union of all pages that were asked for in one go: a *generation*.
public struct CatalogPage<Row: Hashable & Sendable>: Hashable, Sendable {
  /// The page's number, from 1 (KOBIS `curPage`).
  public var number: Int
  /// The rows of the whole list, as the upstream counted them with this page (KOBIS `totCnt`).
  public var totalCount: Int
  /// The page's rows, each code once.
  public var rows: [Row]

  /// Makes a page.
  public init(number: Int, totalCount: Int, rows: [Row]) {
    self.number = number
    self.totalCount = totalCount
    self.rows = rows
  }

  /// Whether the page lies past the end of its list, as it says itself: then it holds nothing and is right all the same.
  public var isPastEnd: Bool {
    rows.isEmpty && totalCount > 0 && number > CatalogList.pageCount(ofRows: totalCount)
  }

  /// Whether two answers to one page have the same rows in the same order, however long the list has become.
  func saysTheSame(as other: CatalogPage) -> Bool { number == other.number && rows == other.rows }
}

/// A row of the list of movies (KOBIS `searchMovieList`); a blank text is `nil`.
public struct ListedMovie: Hashable, Sendable {
  /// A company that took part.
  public struct Company: Hashable, Sendable {
    /// Its code (KOBIS `companyCd`).
    public var code: CompanyCode?
    /// Its name (KOBIS `companyNm`).
    public var name: String

    /// Makes a company.
    public init(code: CompanyCode?, name: String) {
      self.code = code
      self.name = name
    }
  }

  /// The movie (KOBIS `movieCd`).
  public var code: MovieCode
  /// The Korean title (KOBIS `movieNm`).
  public var title: String
  /// The English title (KOBIS `movieNmEn`).
  public var titleEnglish: String?
  /// The year of production (KOBIS `prdtYear`).
  public var productionYear: Int?
  /// The day the movie opened in Korea (KOBIS `openDt`).
  public var openedOn: CalendarDay?
  /// The type of film, as `장편` (KOBIS `typeNm`).
  public var type: String?
  /// The state of production, as `개봉` (KOBIS `prdtStatNm`).
  public var status: String?
  /// The nations of production, parted by commas as the upstream writes them (KOBIS `nationAlt`).
  public var nations: String?
  /// The genres, parted by commas as the upstream writes them (KOBIS `genreAlt`).
  public var genres: String?
  /// The first of the nations (KOBIS `repNationNm`).
  public var mainNation: String?
  /// The first of the genres (KOBIS `repGenreNm`).
  public var mainGenre: String?
  /// The directors' names, in the upstream's order (KOBIS `directors`).
  public var directors: [String]
  /// The companies, in the upstream's order (KOBIS `companys`).
  public var companies: [Company]

  /// Makes a row.
  public init(
    code: MovieCode, title: String, titleEnglish: String? = nil, productionYear: Int? = nil,
    openedOn: CalendarDay? = nil, type: String? = nil, status: String? = nil, nations: String? = nil,
    genres: String? = nil, mainNation: String? = nil, mainGenre: String? = nil, directors: [String] = [],
    companies: [Company] = []
  ) {
    self.code = code
    self.title = title
    self.titleEnglish = titleEnglish
    self.productionYear = productionYear
    self.openedOn = openedOn
    self.type = type
    self.status = status
    self.nations = nations
    self.genres = genres
    self.mainNation = mainNation
    self.mainGenre = mainGenre
    self.directors = directors
    self.companies = companies
  }
}

/// A row of the list of companies (KOBIS `searchCompanyList`); a blank text is `nil`.
public struct ListedCompany: Hashable, Sendable {
  /// The company (KOBIS `companyCd`).
  public var code: CompanyCode
  /// The Korean name (KOBIS `companyNm`).
  public var name: String
  /// The English name (KOBIS `companyNmEn`).
  public var nameEnglish: String?
  /// What the company does, parted by commas as the upstream writes it (KOBIS `companyPartNames`).
  public var parts: String?
  /// Who heads it (KOBIS `ceoNm`).
  public var chief: String?
  /// Titles of its movies, parted by commas as the upstream writes them; titles hold commas of their own, so that they
  /// cannot be told apart (KOBIS `filmoNames`).
  public var filmography: String?

  /// Makes a row.
  public init(
    code: CompanyCode, name: String, nameEnglish: String? = nil, parts: String? = nil, chief: String? = nil,
    filmography: String? = nil
  ) {
    self.code = code
    self.name = name
    self.nameEnglish = nameEnglish
    self.parts = parts
    self.chief = chief
    self.filmography = filmography
  }
}

/// A row of the list of people (KOBIS `searchPeopleList`); a blank text is `nil`.
public struct ListedPerson: Hashable, Sendable {
  /// The person (KOBIS `peopleCd`).
  public var code: PersonCode
  /// The Korean name (KOBIS `peopleNm`); two people may share one.
  public var name: String
  /// The English name (KOBIS `peopleNmEn`).
  public var nameEnglish: String?
  /// What the person mostly does, as `배우` (KOBIS `repRoleNm`).
  public var role: String?
  /// Titles of the person's movies, parted by `|` as the upstream writes them (KOBIS `filmoNames`).
  public var filmography: String?

  /// Makes a row.
  public init(
    code: PersonCode, name: String, nameEnglish: String? = nil, role: String? = nil,
    filmography: String? = nil
  ) {
    self.code = code
    self.name = name
    self.nameEnglish = nameEnglish
    self.role = role
    self.filmography = filmography
  }
}
