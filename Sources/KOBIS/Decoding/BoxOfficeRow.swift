import CatalogEngine

/// A row of a chart while it is being read.
struct BoxOfficeRow {
  private enum Field: UInt8, JSONField {
    case rnum, rank, rankInten, rankOldAndNew, movieCd, movieNm, openDt, salesAmt, salesShare, salesInten
    case salesChange, salesAcc, audiCnt, audiInten, audiChange, audiAcc, scrnCnt, showCnt

    var name: StaticString {
      switch self {
      case .rnum: "rnum"
      case .rank: "rank"
      case .rankInten: "rankInten"
      case .rankOldAndNew: "rankOldAndNew"
      case .movieCd: "movieCd"
      case .movieNm: "movieNm"
      case .openDt: "openDt"
      case .salesAmt: "salesAmt"
      case .salesShare: "salesShare"
      case .salesInten: "salesInten"
      case .salesChange: "salesChange"
      case .salesAcc: "salesAcc"
      case .audiCnt: "audiCnt"
      case .audiInten: "audiInten"
      case .audiChange: "audiChange"
      case .audiAcc: "audiAcc"
      case .scrnCnt: "scrnCnt"
      case .showCnt: "showCnt"
      }
    }
  }

  /// Positions, ranks, screens and showings stay well within 32 bits.
  private static let smallCountMax = Int64(Int32.max)

  private var position = 0
  private var rank = 0
  private var rankChange = 0
  private var isNew = false
  private var movieCode: MovieCode?
  private var title = ""
  private var openedOn: CalendarDay?
  private var salesKRW: Int64 = 0
  private var salesShare = Percentage(thousandths: 0)
  private var salesChangeKRW: Int64 = 0
  private var salesChangePercent = Percentage(thousandths: 0)
  private var salesTotalKRW: Int64 = 0
  private var audience: Int64 = 0
  private var audienceChange: Int64 = 0
  private var audienceChangePercent = Percentage(thousandths: 0)
  private var audienceTotal: Int64 = 0
  private var screens = 0
  private var showings = 0

  /// Reads a row.
  static func entry(_ reader: inout JSONReader) throws(KOBISError) -> BoxOfficeEntry {
    var row = BoxOfficeRow()
    var walk = try FieldWalk<Field>(&reader)
    while let field = try walk.next(&reader) {
      do throws(KOBISError) { try row.read(field, from: &reader) } catch {
        throw error.within("\(field.name)")
      }
    }
    try walk.requireAll()
    guard let code = row.movieCode else { throw KOBISError.missing(Field.movieCd.name) }
    return BoxOfficeEntry(
      position: row.position, rank: row.rank, rankChange: row.rankChange, isNew: row.isNew, movieCode: code,
      title: row.title, openedOn: row.openedOn, salesKRW: row.salesKRW, salesShare: row.salesShare,
      salesChangeKRW: row.salesChangeKRW, salesChangePercent: row.salesChangePercent,
      salesTotalKRW: row.salesTotalKRW, audience: row.audience, audienceChange: row.audienceChange,
      audienceChangePercent: row.audienceChangePercent, audienceTotal: row.audienceTotal,
      screens: row.screens, showings: row.showings)
  }

  private mutating func read(_ field: Field, from reader: inout JSONReader) throws(KOBISError) {
    let small = 0...Self.smallCountMax
    let count = 0...Int64.max
    let change = -Int64.max...Int64.max
    switch field {
    case .rnum: position = Int(try reader.integer(in: 1...Self.smallCountMax))
    case .rank: rank = Int(try reader.integer(in: 1...Self.smallCountMax))
    case .rankInten: rankChange = Int(try reader.integer(in: -Self.smallCountMax...Self.smallCountMax))
    case .rankOldAndNew: isNew = try Self.isNew(&reader)
    case .movieCd: movieCode = try reader.movieCode()
    case .movieNm: title = try reader.requiredPlainText("title")
    case .openDt: openedOn = try reader.optionalDay()
    case .salesAmt: salesKRW = try reader.integer(in: count)
    case .salesShare: salesShare = try Self.share(&reader)
    case .salesInten: salesChangeKRW = try reader.integer(in: change)
    case .salesChange: salesChangePercent = try reader.percentage()
    case .salesAcc: salesTotalKRW = try reader.integer(in: count)
    case .audiCnt: audience = try reader.integer(in: count)
    case .audiInten: audienceChange = try reader.integer(in: change)
    case .audiChange: audienceChangePercent = try reader.percentage()
    case .audiAcc: audienceTotal = try reader.integer(in: count)
    case .scrnCnt: screens = Int(try reader.integer(in: small))
    case .showCnt: showings = Int(try reader.integer(in: small))
    }
  }

  private static func isNew(_ reader: inout JSONReader) throws(KOBISError) -> Bool {
    let text = try reader.text()
    if reader.matches(text, "OLD") { return false }
    if reader.matches(text, "NEW") { return true }
    throw KOBISError(.malformedValue, "\(reader.excerpt(of: text)) is neither OLD nor NEW")
  }

  private static func share(_ reader: inout JSONReader) throws(KOBISError) -> Percentage {
    let share = try reader.percentage()
    guard (0...100_000).contains(share.thousandths) else {
      throw KOBISError(.outOfRange, "the share \(share) lies outside 0 to 100 percent")
    }
    return share
  }
}
