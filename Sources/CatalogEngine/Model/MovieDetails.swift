/// What the upstream knows of one movie (KOBIS `searchMovieInfo`).
///
/// Text is as the upstream spells it, outer white space and control characters taken off; an empty text is `nil`.
public struct MovieDetails: Hashable, Sendable {
  /// The movie (KOBIS `movieCd`).
  public var code: MovieCode
  /// The Korean title (KOBIS `movieNm`).
  public var title: String
  /// The English title (KOBIS `movieNmEn`).
  public var titleEnglish: String?
  /// The title in the language of origin (KOBIS `movieNmOg`).
  public var titleOriginal: String?
  /// The running time in minutes (KOBIS `showTm`).
  public var runningMinutes: Int?
  /// The year of production (KOBIS `prdtYear`).
  public var productionYear: Int?
  /// The day the movie opened in Korea (KOBIS `openDt`).
  public var openedOn: CalendarDay?
  /// The state of production, as `개봉` (KOBIS `prdtStatNm`).
  public var status: String?
  /// The type of film, as `장편` (KOBIS `typeNm`).
  public var type: String?
  /// The nations of production (KOBIS `nations`).
  public var nations: [String]
  /// The genres (KOBIS `genres`).
  public var genres: [String]
  /// The directors (KOBIS `directors`).
  public var directors: [Person]
  /// The cast (KOBIS `actors`).
  public var actors: [Actor]
  /// How it is shown, as 2D digital (KOBIS `showTypes`).
  public var showTypes: [ShowType]
  /// The companies and their parts; one company may have several (KOBIS `companys`).
  public var companies: [Company]
  /// The ratings (KOBIS `audits`).
  public var audits: [Audit]
  /// The staff (KOBIS `staffs`).
  public var staff: [Staff]

  /// A person's name; the upstream gives no code here, and two people may share a name.
  public struct Person: Hashable, Sendable {
    /// The Korean name (KOBIS `peopleNm`).
    public var name: String
    /// The English name (KOBIS `peopleNmEn`).
    public var nameEnglish: String?

    /// Makes a person.
    public init(name: String, nameEnglish: String? = nil) {
      self.name = name
      self.nameEnglish = nameEnglish
    }
  }

  /// A member of the cast.
  public struct Actor: Hashable, Sendable {
    /// The Korean name (KOBIS `peopleNm`).
    public var name: String
    /// The English name (KOBIS `peopleNmEn`).
    public var nameEnglish: String?
    /// The part played (KOBIS `cast`).
    public var role: String?
    /// The part played, in English (KOBIS `castEn`).
    public var roleEnglish: String?

    /// Makes a member of the cast.
    public init(name: String, nameEnglish: String? = nil, role: String? = nil, roleEnglish: String? = nil) {
      self.name = name
      self.nameEnglish = nameEnglish
      self.role = role
      self.roleEnglish = roleEnglish
    }
  }

  /// A way the movie is shown.
  public struct ShowType: Hashable, Sendable {
    /// The group, as `2D` (KOBIS `showTypeGroupNm`).
    public var group: String?
    /// The name, as `디지털` (KOBIS `showTypeNm`).
    public var name: String?

    /// Makes a way of showing.
    public init(group: String? = nil, name: String? = nil) {
      self.group = group
      self.name = name
    }
  }

  /// A company and the part it had.
  public struct Company: Hashable, Sendable {
    /// The company (KOBIS `companyCd`), 6 to 8 digits.
    public var code: String?
    /// The Korean name (KOBIS `companyNm`).
    public var name: String
    /// The English name (KOBIS `companyNmEn`).
    public var nameEnglish: String?
    /// The part, as `배급사` (KOBIS `companyPartNm`).
    public var part: String?

    /// Makes a company's part.
    public init(code: String? = nil, name: String, nameEnglish: String? = nil, part: String? = nil) {
      self.code = code
      self.name = name
      self.nameEnglish = nameEnglish
      self.part = part
    }
  }

  /// A rating.
  public struct Audit: Hashable, Sendable {
    /// The rating's number (KOBIS `auditNo`).
    public var number: String?
    /// The grade, as `15세이상관람가` (KOBIS `watchGradeNm`).
    public var grade: String?

    /// Makes a rating.
    public init(number: String? = nil, grade: String? = nil) {
      self.number = number
      self.grade = grade
    }
  }

  /// A member of the staff.
  public struct Staff: Hashable, Sendable {
    /// The Korean name (KOBIS `peopleNm`).
    public var name: String
    /// The English name (KOBIS `peopleNmEn`).
    public var nameEnglish: String?
    /// The part, as `각본` (KOBIS `staffRoleNm`).
    public var role: String?

    /// Makes a member of the staff.
    public init(name: String, nameEnglish: String? = nil, role: String? = nil) {
      self.name = name
      self.nameEnglish = nameEnglish
      self.role = role
    }
  }

  /// Makes details; every list defaults to empty, every optional to `nil`.
  public init(
    code: MovieCode, title: String, titleEnglish: String? = nil, titleOriginal: String? = nil,
    runningMinutes: Int? = nil, productionYear: Int? = nil, openedOn: CalendarDay? = nil,
    status: String? = nil,
    type: String? = nil, nations: [String] = [], genres: [String] = [], directors: [Person] = [],
    actors: [Actor] = [], showTypes: [ShowType] = [], companies: [Company] = [], audits: [Audit] = [],
    staff: [Staff] = []
  ) {
    self.code = code
    self.title = title
    self.titleEnglish = titleEnglish
    self.titleOriginal = titleOriginal
    self.runningMinutes = runningMinutes
    self.productionYear = productionYear
    self.openedOn = openedOn
    self.status = status
    self.type = type
    self.nations = nations
    self.genres = genres
    self.directors = directors
    self.actors = actors
    self.showTypes = showTypes
    self.companies = companies
    self.audits = audits
    self.staff = staff
  }

  /// Whether two answers say the same, whatever order their lists are in: the upstream shuffles them between calls.
  public func saysTheSame(as other: MovieDetails) -> Bool {
    func same<Element: Hashable>(_ one: [Element], _ other: [Element]) -> Bool {
      one == other || (one.count == other.count && counts(one) == counts(other))
    }
    func counts<Element: Hashable>(_ elements: [Element]) -> [Element: Int] {
      Dictionary(elements.map { ($0, 1) }, uniquingKeysWith: +)
    }
    var aligned = other
    if same(nations, other.nations) { aligned.nations = nations }
    if same(genres, other.genres) { aligned.genres = genres }
    if same(directors, other.directors) { aligned.directors = directors }
    if same(actors, other.actors) { aligned.actors = actors }
    if same(showTypes, other.showTypes) { aligned.showTypes = showTypes }
    if same(companies, other.companies) { aligned.companies = companies }
    if same(audits, other.audits) { aligned.audits = audits }
    if same(staff, other.staff) { aligned.staff = staff }
    return self == aligned
  }
}
