import CatalogEngine

// Bodies of what is no chart and no movie's details: lists of codes, pages, people and companies.
extension KOBISBody {
  private static let source = "영화진흥위원회"

  /// The body of a list of codes.
  static func codes(_ table: CodeTable?) -> [UInt8] {
    var writer = JSONObjectWriter()
    writer.list("codes", table?.entries ?? []) { row, entry in
      row.text("fullCd", entry.code)
      row.text("korNm", entry.name)
      row.text("engNm", entry.nameEnglish)
    }
    return writer.finish()
  }

  /// The body of a page of movies.
  static func page(_ page: CatalogPage<ListedMovie>) -> [UInt8] {
    var writer = JSONObjectWriter()
    writer.object("movieListResult") { result in
      result.number("totCnt", page.totalCount)
      result.text("source", source)
      result.list("movieList", page.rows) { write($1, to: &$0) }
    }
    return writer.finish()
  }

  private static func write(_ movie: ListedMovie, to row: inout JSONObjectWriter) {
    row.text("movieCd", movie.code.text)
    row.text("movieNm", movie.title)
    row.text("movieNmEn", movie.titleEnglish)
    row.text("prdtYear", movie.productionYear.map { "\($0)" })
    row.text("openDt", movie.openedOn?.basicFormat)
    row.text("typeNm", movie.type)
    row.text("prdtStatNm", movie.status)
    row.text("nationAlt", movie.nations)
    row.text("genreAlt", movie.genres)
    row.text("repNationNm", movie.mainNation)
    row.text("repGenreNm", movie.mainGenre)
    row.list("directors", movie.directors) { $0.text("peopleNm", $1) }
    row.list("companys", movie.companies) { row, company in
      row.text("companyCd", company.code?.text)
      row.text("companyNm", company.name)
    }
  }

  /// The body of a page of companies.
  static func page(_ page: CatalogPage<ListedCompany>) -> [UInt8] {
    var writer = JSONObjectWriter()
    writer.object("companyListResult") { result in
      result.number("totCnt", page.totalCount)
      result.list("companyList", page.rows) { row, company in
        row.text("companyCd", company.code.text)
        row.text("companyNm", company.name)
        row.text("companyNmEn", company.nameEnglish)
        row.text("companyPartNames", company.parts)
        row.text("ceoNm", company.chief)
        row.text("filmoNames", company.filmography)
      }
      result.text("source", source)
    }
    return writer.finish()
  }

  /// The body of a page of people.
  static func page(_ page: CatalogPage<ListedPerson>) -> [UInt8] {
    var writer = JSONObjectWriter()
    writer.object("peopleListResult") { result in
      result.number("totCnt", page.totalCount)
      result.list("peopleList", page.rows) { row, person in
        row.text("peopleCd", person.code.text)
        row.text("peopleNm", person.name)
        row.text("peopleNmEn", person.nameEnglish)
        row.text("repRoleNm", person.role)
        row.text("filmoNames", person.filmography)
      }
      result.text("source", source)
    }
    return writer.finish()
  }

  /// The body of a person's details; of `nil`, the body for a code that nobody has.
  static func details(_ details: PersonDetails?) -> [UInt8] {
    var writer = JSONObjectWriter()
    writer.object("peopleInfoResult") { result in
      result.object("peopleInfo") { info in
        info.text("peopleCd", details?.code.text)
        info.text("peopleNm", details?.name)
        info.text("peopleNmEn", details?.nameEnglish)
        info.text("sex", details?.sex)
        info.text("repRoleNm", details?.role)
        info.list("homepages", details?.homepages ?? []) { $0.text("homepgUrl", $1) }
        info.list("filmos", details?.filmography ?? []) { write($1, part: "moviePartNm", to: &$0) }
      }
      result.text("source", source)
    }
    return writer.finish()
  }

  /// The body of a company's details; of `nil`, the body for a code that no company has.
  static func details(_ details: CompanyDetails?) -> [UInt8] {
    var writer = JSONObjectWriter()
    writer.object("companyInfoResult") { result in
      result.object("companyInfo") { info in
        info.text("companyCd", details?.code.text)
        info.text("companyNm", details?.name)
        info.text("companyNmEn", details?.nameEnglish)
        info.text("ceoNm", details?.chief)
        info.list("parts", details?.parts ?? []) { $0.text("companyPartNm", $1) }
        info.list("filmos", details?.filmography ?? []) { write($1, part: "companyPartNm", to: &$0) }
      }
      result.text("source", source)
    }
    return writer.finish()
  }

  private static func write(_ credit: FilmCredit, part: String, to row: inout JSONObjectWriter) {
    row.text("movieCd", credit.movieCode.text)
    row.text("movieNm", credit.title)
    row.text(part, credit.part)
  }
}
