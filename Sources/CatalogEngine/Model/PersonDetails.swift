/// What the upstream knows of one person (KOBIS `searchPeopleInfo`); a blank text is `nil`.
public struct PersonDetails: Hashable, Sendable {
  /// The person (KOBIS `peopleCd`).
  public var code: PersonCode
  /// The Korean name (KOBIS `peopleNm`).
  public var name: String
  /// The English name (KOBIS `peopleNmEn`).
  public var nameEnglish: String?
  /// The sex, as the upstream words it: `남자`, `여자` (KOBIS `sex`).
  public var sex: String?
  /// What the person mostly does, as `배우` (KOBIS `repRoleNm`).
  public var role: String?
  /// Addresses on the web (KOBIS `homepages`).
  public var homepages: [String]
  /// The movies the person took part in, once for each part (KOBIS `filmos`).
  public var filmography: [FilmCredit]

  /// Makes details.
  public init(
    code: PersonCode, name: String, nameEnglish: String? = nil, sex: String? = nil, role: String? = nil,
    homepages: [String] = [], filmography: [FilmCredit] = []
  ) {
    self.code = code
    self.name = name
    self.nameEnglish = nameEnglish
    self.sex = sex
    self.role = role
    self.homepages = homepages
    self.filmography = filmography
  }

  /// Whether two say the same, apart from the order of lists, which the upstream shuffles between calls.
  public func saysTheSame(as other: PersonDetails) -> Bool {
    self == other || canonical == other.canonical
  }

  private var canonical: PersonDetails {
    var canonical = self
    canonical.homepages.sort()
    canonical.filmography.sort()
    return canonical
  }
}

/// A movie in somebody's filmography, and the part in it.
public struct FilmCredit: Hashable, Comparable, Sendable {
  /// The movie (KOBIS `movieCd`).
  public var movieCode: MovieCode
  /// The movie's Korean title (KOBIS `movieNm`).
  public var title: String
  /// The part in it, as `배우` or `제작사` (KOBIS `moviePartNm`, of a company `companyPartNm`).
  public var part: String?

  /// Makes a credit.
  public init(movieCode: MovieCode, title: String, part: String? = nil) {
    self.movieCode = movieCode
    self.title = title
    self.part = part
  }

  /// Orders credits by code, part and title.
  public static func < (one: FilmCredit, other: FilmCredit) -> Bool {
    (one.movieCode, one.part ?? "", one.title) < (other.movieCode, other.part ?? "", other.title)
  }
}
