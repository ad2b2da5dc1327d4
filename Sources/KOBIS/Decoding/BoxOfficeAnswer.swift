package import CatalogEngine

/// The answer of the box office services: a chart, and the week that KOBIS says it is of.
package struct BoxOfficeAnswer: Sendable {
  /// The most rows a chart may have; KOBIS sends ten.
  package static let rowCountMax = 100

  /// The chart.
  package let chart: BoxOffice

  /// Year and week as KOBIS counts them, as `201928` (KOBIS `yearWeekTime`); `nil` for a day.
  package let yearWeek: String?

  /// Reads the chart of `period` from an answer's body.
  ///
  /// - Throws: ``KOBISError``; `wrongPeriod` if the chart is another period's.
  package init(
    _ body: [UInt8], for period: BoxOfficePeriod, filter: BoxOfficeFilter = .everything
  ) throws(KOBISError) {
    self = try Answer.result(of: body, named: "boxOfficeResult") { reader throws(KOBISError) in
      try BoxOfficeAnswer(&reader, for: period, filter: filter)
    }
  }

  private enum Field: UInt8, JSONField {
    case boxofficeType, showRange, yearWeekTime, dailyBoxOfficeList, weeklyBoxOfficeList

    var name: StaticString {
      switch self {
      case .boxofficeType: "boxofficeType"
      case .showRange: "showRange"
      case .yearWeekTime: "yearWeekTime"
      case .dailyBoxOfficeList: "dailyBoxOfficeList"
      case .weeklyBoxOfficeList: "weeklyBoxOfficeList"
      }
    }
  }

  private init(
    _ reader: inout JSONReader, for period: BoxOfficePeriod, filter: BoxOfficeFilter
  ) throws(KOBISError) {
    let list: Field = period.kind == .daily ? .dailyBoxOfficeList : .weeklyBoxOfficeList
    var rows: [BoxOfficeEntry] = []
    var yearWeek: String?
    var walk = try FieldWalk<Field>(&reader)
    while let field = try walk.next(&reader) {
      do throws(KOBISError) {
        switch field {
        case .showRange: try Self.check(reader.text(), is: period, reader)
        case .yearWeekTime: yearWeek = try reader.optionalPlainText()
        case list: rows = try Self.rows(&reader)
        default: try reader.skip()
        }
      } catch {
        throw error.within("\(field.name)")
      }
    }
    try walk.require([.showRange, list])
    do throws(KOBISError) { rows = try Self.ordered(rows) } catch { throw error.within("\(list.name)") }
    chart = BoxOffice(period: period, filter: filter, entries: rows)
    self.yearWeek = yearWeek
  }

  /// Refuses a `showRange`, as `20190708~20190714`, that is not the period's.
  private static func check(
    _ text: JSONText, is period: BoxOfficePeriod, _ reader: borrowing JSONReader
  ) throws(KOBISError) {
    let days = reader.withBytes(of: text) { bytes -> (CalendarDay, CalendarDay)? in
      guard bytes.count == 17, bytes[8] == UInt8(ascii: "~"),
        let first = JSONReader.day(UnsafeBufferPointer(rebasing: bytes[..<8])),
        let last = JSONReader.day(UnsafeBufferPointer(rebasing: bytes[9...]))
      else { return nil }
      return (first, last)
    }
    guard let days else {
      throw KOBISError(
        .malformedValue, "\(reader.excerpt(of: text)) is no span of days such as 20190708~20190714")
    }
    guard days == (period.day, period.through) else {
      throw KOBISError(
        .wrongPeriod, "the chart is of \(days.0) to \(days.1), not of \(period.day) to \(period.through)")
    }
  }

  private static func rows(_ reader: inout JSONReader) throws(KOBISError) -> [BoxOfficeEntry] {
    var rows: [BoxOfficeEntry] = []
    rows.reserveCapacity(10)
    try reader.elements(atMost: rowCountMax) { reader, _ throws(KOBISError) in
      rows.append(try BoxOfficeRow.entry(&reader))
    }
    return rows
  }

  /// The rows by position; refuses a movie or a position that stands twice.
  private static func ordered(_ rows: [BoxOfficeEntry]) throws(KOBISError) -> [BoxOfficeEntry] {
    // A chart has ten rows, and `rowCountMax` at the worst: comparing each with each beats building a set.
    for (index, row) in rows.enumerated() {
      for other in rows[..<index] {
        if row.movieCode == other.movieCode {
          throw KOBISError(
            .repeatedMovie, at: "[\(index)].movieCd", "the movie \(row.movieCode) stands in two rows")
        }
        if row.position == other.position {
          throw KOBISError(
            .repeatedPosition, at: "[\(index)].rnum", "the position \(row.position) stands in two rows")
        }
      }
    }
    let ascends = zip(rows, rows.dropFirst()).allSatisfy { $0.position < $1.position }
    return ascends ? rows : rows.sorted { $0.position < $1.position }
  }
}
