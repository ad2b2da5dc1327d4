package import CatalogEngine
import Foundation

/// A recorded chart as Foundation reads it: an independent decoder, to hold ours to.
package struct RecordedChart: Sendable {
  /// The period that the answer says it is of.
  package let period: BoxOfficePeriod
  /// Every figure of every row, as text, in the order in which they stand.
  package let rows: [[String]]

  /// What a recorded body is not.
  package struct ShapeError: Error, CustomStringConvertible {
    package let description: String
  }

  /// Reads a body.
  ///
  /// - Throws: ``ShapeError`` or Foundation's error if it is no chart.
  package init(_ body: [UInt8]) throws {
    let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    guard let result = object?["boxOfficeResult"] as? [String: Any],
      let range = result["showRange"] as? String, let first = CalendarDay(range.prefix(8)),
      let rows = (result["dailyBoxOfficeList"] ?? result["weeklyBoxOfficeList"]) as? [[String: String]]
    else { throw ShapeError(description: "a recorded body is no chart") }
    if range.prefix(8) == range.suffix(8) {
      period = .daily(first)
    } else {
      period = first.weekday == .monday ? .weekly(containing: first) : .weekend(containing: first)
    }
    self.rows = rows.map(Self.figures)
  }

  private static func figures(_ row: [String: String]) -> [String] {
    [
      row["rnum"], row["rank"], row["rankInten"], row["rankOldAndNew"], row["movieCd"],
      row["movieNm"]?.trimmingCharacters(in: .whitespaces), row["openDt"]?.filter(\.isNumber),
      row["salesAmt"],
      row["salesShare"].flatMap(Double.init)?.description, row["salesInten"],
      row["salesChange"].flatMap(Double.init)?.description, row["salesAcc"], row["audiCnt"],
      row["audiInten"],
      row["audiChange"].flatMap(Double.init)?.description, row["audiAcc"], row["scrnCnt"], row["showCnt"],
    ].map { $0 ?? "missing" }
  }

  /// The rows of a chart of ours, to compare with ``rows``.
  package static func rows(of chart: BoxOffice) -> [[String]] {
    chart.entries.map { entry in
      [
        "\(entry.position)", "\(entry.rank)", "\(entry.rankChange)", entry.isNew ? "NEW" : "OLD",
        entry.movieCode.text, entry.title, entry.openedOn?.basicFormat ?? "", "\(entry.salesKRW)",
        "\(entry.salesShare.percent)", "\(entry.salesChangeKRW)", "\(entry.salesChangePercent.percent)",
        "\(entry.salesTotalKRW)", "\(entry.audience)", "\(entry.audienceChange)",
        "\(entry.audienceChangePercent.percent)", "\(entry.audienceTotal)", "\(entry.screens)",
        "\(entry.showings)",
      ]
    }
  }

  /// Whether ranks tie.
  package var hasTie: Bool { Set(rows.map { $0[1] }).count < rows.count }
}
