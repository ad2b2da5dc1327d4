/// What the upstream knows of one company (KOBIS `searchCompanyInfo`); a blank text is `nil`.
public struct CompanyDetails: Hashable, Sendable {
  /// The company (KOBIS `companyCd`).
  public var code: CompanyCode
  /// The Korean name (KOBIS `companyNm`).
  public var name: String
  /// The English name (KOBIS `companyNmEn`).
  public var nameEnglish: String?
  /// Who heads it (KOBIS `ceoNm`).
  public var chief: String?
  /// What the company does, as `제작사` (KOBIS `parts`).
  public var parts: [String]
  /// The movies the company took part in, once for each part (KOBIS `filmos`).
  public var filmography: [FilmCredit]

  /// Makes details.
  public init(
    code: CompanyCode, name: String, nameEnglish: String? = nil, chief: String? = nil, parts: [String] = [],
    filmography: [FilmCredit] = []
  ) {
    self.code = code
    self.name = name
    self.nameEnglish = nameEnglish
    self.chief = chief
    self.parts = parts
    self.filmography = filmography
  }

  /// Whether two say the same, apart from the order of lists, which the upstream shuffles between calls.
  public func saysTheSame(as other: CompanyDetails) -> Bool {
    self == other || canonical == other.canonical
  }

  private var canonical: CompanyDetails {
    var canonical = self
    canonical.parts.sort()
    canonical.filmography.sort()
    return canonical
  }
}
