import CatalogEngine

/// Bodies as KOBIS writes them: compact, every value a string, fields in its order and its spelling.
enum KOBISBody {
  /// The body of an answer.
  static func value(_ value: CatalogValue) -> [UInt8] {
    switch value {
    case .boxOffice(let chart): Self.chart(chart)
    case .movieDetails(let details): Self.details(details)
    case .personDetails(let details): Self.details(details)
    case .companyDetails(let details): Self.details(details)
    case .codes(let table): codes(table)
    case .moviePage(let page): Self.page(page)
    case .companyPage(let page): Self.page(page)
    case .peoplePage(let page): Self.page(page)
    }
  }

  /// The body of a chart, or of its first `rowCount` rows.
  static func chart(_ chart: BoxOffice, rowCount: Int? = nil) -> [UInt8] {
    let period = chart.period
    let isDaily = period.kind == .daily
    let kind =
      switch period.kind {
      case .daily: "일별 박스오피스"
      case .weekly: "주간 박스오피스"
      case .weekend: "주말 박스오피스"
      case .weekdays: "주중 박스오피스"
      }
    let rows = rowCount.map { Array(chart.entries.prefix($0)) } ?? chart.entries
    var writer = JSONObjectWriter()
    writer.object("boxOfficeResult") { result in
      result.text("boxofficeType", kind)
      result.text("showRange", "\(period.day.basicFormat)~\(period.through.basicFormat)")
      if !isDaily { result.text("yearWeekTime", yearWeek(of: period.day)) }
      result.list(isDaily ? "dailyBoxOfficeList" : "weeklyBoxOfficeList", rows) { row, entry in
        write(entry, isDaily: isDaily, to: &row)
      }
    }
    return writer.finish()
  }

  private static func write(_ entry: BoxOfficeEntry, isDaily: Bool, to row: inout JSONObjectWriter) {
    // The daily service drops a decimal of zero, the weekly one keeps it.
    func percent(_ value: Percentage) -> String {
      let text = value.description
      return isDaily || text.contains(".") ? text : text + ".0"
    }
    row.text("rnum", "\(entry.position)")
    row.text("rank", "\(entry.rank)")
    row.text("rankInten", "\(entry.rankChange)")
    row.text("rankOldAndNew", entry.isNew ? "NEW" : "OLD")
    row.text("movieCd", entry.movieCode.text)
    row.text("movieNm", entry.title)
    row.text("openDt", entry.openedOn?.description ?? " ")
    row.text("salesAmt", "\(entry.salesKRW)")
    row.text("salesShare", percent(entry.salesShare))
    row.text("salesInten", "\(entry.salesChangeKRW)")
    row.text("salesChange", percent(entry.salesChangePercent))
    row.text("salesAcc", "\(entry.salesTotalKRW)")
    row.text("audiCnt", "\(entry.audience)")
    row.text("audiInten", "\(entry.audienceChange)")
    row.text("audiChange", percent(entry.audienceChangePercent))
    row.text("audiAcc", "\(entry.audienceTotal)")
    row.text("scrnCnt", "\(entry.screens)")
    row.text("showCnt", "\(entry.showings)")
  }

  /// The year and week of a Monday by ISO 8601, as `201928`.
  private static func yearWeek(of day: CalendarDay) -> String {
    let thursday = CalendarDay.thursday(ofWeekWith: day)
    let year = thursday.components.year
    let week = (CalendarDay(year: year, month: 1, day: 1)?.days(until: thursday) ?? 0) / 7 + 1
    return String(year) + String(week).leftPadded(to: 2)
  }

  /// The body of a fault.
  static func fault(_ number: String, _ message: String) -> [UInt8] {
    var writer = JSONObjectWriter()
    writer.object("faultInfo") { fault in
      fault.text("message", message)
      fault.text("errorCode", number)
    }
    return writer.finish()
  }

  /// The body of details; of `nil`, the body for a code that nobody has.
  static func details(_ details: MovieDetails?) -> [UInt8] {
    var writer = JSONObjectWriter()
    writer.object("movieInfoResult") { result in
      result.object("movieInfo") { info in write(details, to: &info) }
      result.text("source", "영화진흥위원회")
    }
    return writer.finish()
  }

  private static func write(_ details: MovieDetails?, to info: inout JSONObjectWriter) {
    info.text("movieCd", details?.code.text)
    info.text("movieNm", details?.title)
    info.text("movieNmEn", details?.titleEnglish)
    info.text("movieNmOg", details?.titleOriginal)
    info.text("showTm", details?.runningMinutes.map { "\($0)" })
    info.text("prdtYear", details?.productionYear.map { "\($0)" })
    info.text("openDt", details?.openedOn?.basicFormat)
    info.text("prdtStatNm", details?.status)
    info.text("typeNm", details?.type)
    info.list("nations", details?.nations ?? []) { $0.text("nationNm", $1) }
    info.list("genres", details?.genres ?? []) { $0.text("genreNm", $1) }
    info.list("directors", details?.directors ?? []) { row, person in
      row.text("peopleNm", person.name)
      row.text("peopleNmEn", person.nameEnglish)
    }
    info.list("actors", details?.actors ?? []) { row, actor in
      row.text("peopleNm", actor.name)
      row.text("peopleNmEn", actor.nameEnglish)
      row.text("cast", actor.role)
      row.text("castEn", actor.roleEnglish)
    }
    info.list("showTypes", details?.showTypes ?? []) { row, type in
      row.text("showTypeGroupNm", type.group)
      row.text("showTypeNm", type.name)
    }
    info.list("companys", details?.companies ?? []) { row, company in
      row.text("companyCd", company.code)
      row.text("companyNm", company.name)
      row.text("companyNmEn", company.nameEnglish)
      row.text("companyPartNm", company.part)
    }
    info.list("audits", details?.audits ?? []) { row, audit in
      row.text("auditNo", audit.number)
      row.text("watchGradeNm", audit.grade)
    }
    info.list("staffs", details?.staff ?? []) { row, member in
      row.text("peopleNm", member.name)
      row.text("peopleNmEn", member.nameEnglish)
      row.text("staffRoleNm", member.role)
    }
  }
}
