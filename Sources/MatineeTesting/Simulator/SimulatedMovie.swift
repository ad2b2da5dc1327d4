import CatalogEngine
import KOBIS

/// An invented movie: five open in every week, and each runs for eight.
struct SimulatedMovie: Sendable {
  static let openingsPerWeek = 5
  static let runDayCount = 56

  /// KOBIS's form of code: the year, and a number or a letter and a number.
  let code: MovieCode
  let openedOn: CalendarDay
  /// The movie's number: movies are numbered by week and slot, from 0 some weeks before the first chart on.
  let ordinal: Int
  /// Whether it is a diversity film: art house and independent (KOBIS `multiMovieYn`).
  let isDiversityFilm: Bool
  /// What all that is invented of the movie is drawn from.
  let draw: Draw

  /// Audience of a plain day at the opening.
  private let openingAudience: Int64
  /// What is left of a day's audience a day later, in thousandths.
  private let staying: Int64

  /// The movies that may sell on one of the days from `first` to `last`.
  static func running(from first: CalendarDay, through last: CalendarDay, seed: UInt64) -> [SimulatedMovie] {
    var movies: [SimulatedMovie] = []
    var thursday = CalendarDay.thursday(ofWeekWith: first.advanced(by: -runDayCount))
    while thursday <= last.advanced(by: 7) {
      for slot in 0..<openingsPerWeek {
        if let movie = SimulatedMovie(openingInWeekOf: thursday, slot: slot, seed: seed),
          movie.openedOn <= last
        {
          movies.append(movie)
        }
      }
      thursday = thursday.advanced(by: 7)
    }
    return movies
  }

  /// The movie with this code; `nil` if the code is not of the form that ``init(openingInWeekOf:slot:seed:)`` makes.
  init?(code: MovieCode, seed: UInt64) {
    guard code.text.count == 8, let year = Int(code.text.prefix(4)) else { return nil }
    let rest = code.text.dropFirst(4)
    let week: Int
    let slot: Int
    if rest.first == "C", let number = Int(rest.dropFirst()) {
      (week, slot) = (number - 100, Self.openingsPerWeek - 1)
    } else if let number = Int(rest) {
      (week, slot) = ((number - 1000) / 10, (number - 1000) % 10)
    } else {
      return nil
    }
    guard (0...53).contains(week), (0..<Self.openingsPerWeek).contains(slot),
      let newYear = CalendarDay(year: year, month: 1, day: 1)
    else { return nil }
    // The first Thursday of a year is the one in the week of January 4th.
    let thursday = CalendarDay.thursday(ofWeekWith: newYear.advanced(by: 3)).advanced(by: week * 7)
    self.init(openingInWeekOf: thursday, slot: slot, seed: seed)
    guard self.code == code else { return nil }
  }

  /// The movie of a number; `nil` if its week lies outside the calendar.
  init?(ordinal: Int, seed: UInt64) {
    let week = ordinal.floorDivided(by: Self.openingsPerWeek)
    let thursday = Self.firstThursday.advanced(by: week * 7)
    self.init(
      openingInWeekOf: thursday, slot: ordinal.floorRemainder(by: Self.openingsPerWeek), seed: seed)
    guard self.ordinal == ordinal else { return nil }
  }

  /// The number of the first of the movies that open in the week of `thursday`.
  static func ordinal(ofFirstOpeningInWeekOf thursday: CalendarDay) -> Int {
    firstThursday.days(until: thursday) / 7 * openingsPerWeek
  }

  /// The Thursday of the week of the first movie: early enough that the first chart's comparisons find all that ran.
  private static let firstThursday = CalendarDay.thursday(
    ofWeekWith: KOBISSource.firstDay.advanced(by: -runDayCount - 14))

  private init?(openingInWeekOf thursday: CalendarDay, slot: Int, seed: UInt64) {
    let (year, month, day) = thursday.components
    guard let newYear = CalendarDay(year: year, month: 1, day: 1) else { return nil }
    let week = newYear.days(until: thursday) / 7
    // The upstream has codes with a letter; so has one movie in five here.
    let number = slot == Self.openingsPerWeek - 1 ? "C\(100 + week)" : "\(1000 + week * 10 + slot)"
    guard let code = MovieCode("\(String(year).leftPadded(to: 4))\(number)") else { return nil }
    self.code = code
    ordinal = Self.ordinal(ofFirstOpeningInWeekOf: thursday) + slot
    draw = Draw(seed, UInt64(year * 10_000 + month * 100 + day), UInt64(slot))
    openedOn = thursday.advanced(by: draw.number(below: 3, for: "opening") - 1)
    // A sixth power makes hits rare: one movie in ten opens above half of what the best does, half of them below a
    // sixtieth.
    let level = Int64(draw.number(below: 1000, for: "strength"))
    isDiversityFilm = level < 600 && draw.number(below: 5, for: "kind") < 3
    openingAudience =
      300 + level * level * level / 1000 * level / 1000 * level / 1000 * level / 1000 * 250 / 1000
    staying = 885 + Int64(draw.number(below: 65, for: "staying"))
  }

  /// What the movie sold on `day`; nothing outside its run.
  func sold(on day: CalendarDay, inRoundNumbers: Bool) -> SimulatedSales {
    let age = openedOn.days(until: day)
    guard (0..<Self.runDayCount).contains(age) else { return SimulatedSales() }
    let draw = Draw(draw.value, UInt64(age))
    var audience = openingAudience * 1000
    for _ in 0..<age { audience = audience * staying / 1000 }
    audience = audience / 1000 * day.crowd / 100 * Int64(85 + draw.number(below: 31, for: "noise")) / 100
    if inRoundNumbers, audience < 20_000 { audience = audience / 500 * 500 }
    guard audience >= 20 else { return SimulatedSales() }
    let price = Int64(700 + draw.number(below: 250, for: "price")) * 10
    let screens = Int(min(2200, 15 + audience / 120))
    return SimulatedSales(
      audience: audience, salesKRW: audience * price, screens: screens,
      showings: screens * (2 + draw.number(below: 4, for: "showings")))
  }
}

extension SimulatedMovie {
  /// Whether the movie stands in charts of `filter`, the area aside.
  func isLeft(by filter: BoxOfficeFilter) -> Bool {
    let kind: BoxOfficeFilter.FilmKind = isDiversityFilm ? .diversity : .commercial
    return (filter.origin ?? origin) == origin && (filter.filmKind ?? kind) == kind
  }

  /// The share of its audience that it has in an area, in thousandths; nothing in an area that is none.
  ///
  /// It is the area's share, a fifth more or less: charts of areas have other orders than the country's.
  func audienceShare(inArea code: String) -> Int64 {
    guard let share = SimulatedCodes.audienceShare(ofArea: code) else { return 0 }
    let draw = code.utf8.reduce(draw) { Draw($0.value, UInt64($1)) }
    return share * Int64(80 + draw.number(below: 41, for: "area")) / 100
  }
}

/// What a movie sold in a day or more.
struct SimulatedSales: Sendable {
  var audience: Int64 = 0
  var salesKRW: Int64 = 0
  /// The most screens of any day.
  var screens = 0
  var showings = 0

  static func + (one: SimulatedSales, other: SimulatedSales) -> SimulatedSales {
    SimulatedSales(
      audience: one.audience + other.audience, salesKRW: one.salesKRW + other.salesKRW,
      screens: max(one.screens, other.screens), showings: one.showings + other.showings)
  }
}

extension SimulatedSales {
  /// A share of it, at the same price a ticket; where anybody came, there is a screen and a showing.
  func part(thousandths share: Int64) -> SimulatedSales {
    let part = audience * share / 1000
    guard part > 0 else { return SimulatedSales() }
    return SimulatedSales(
      audience: part, salesKRW: salesKRW / audience * part, screens: max(1, screens * Int(share) / 1000),
      showings: max(1, showings * Int(share) / 1000))
  }
}

extension CalendarDay {
  /// The Thursday of the day's week, by which ISO 8601 counts weeks.
  static func thursday(ofWeekWith day: CalendarDay) -> CalendarDay {
    BoxOfficePeriod.weekly(containing: day).day.advanced(by: 3)
  }

  /// How full cinemas are on the day, 100 on a plain one.
  fileprivate var crowd: Int64 {
    switch weekday {
    case .monday, .tuesday, .thursday: 100
    case .wednesday: 125
    case .friday: 145
    case .saturday: 265
    case .sunday: 235
    }
  }
}

extension String {
  /// The text with zeros before it, up to `count` characters.
  func leftPadded(to count: Int) -> String {
    String(repeating: "0", count: max(0, count - self.count)) + self
  }
}
