/// One recorded week of KOBIS's answers, 2019-07-08 to 2019-07-14, embedded in the program.
///
/// README.md beside the files says which of them are recordings and which were derived or written.
package enum RecordedWeek {
  /// The first day of which a chart is recorded, as `yyyyMMdd`; a Monday.
  package static let firstDay = 20_190_708

  /// The last day of which a chart is recorded, as `yyyyMMdd`; a Sunday.
  package static let lastDay = 20_190_714

  /// The bodies of `searchDailyBoxOfficeList`, by `targetDt`.
  package static let dailyBodies: [String: [UInt8]] = [
    "20190708": PackageResources.kobis_daily_20190708_json,
    "20190709": PackageResources.kobis_daily_20190709_json,
    "20190710": PackageResources.kobis_daily_20190710_json,
    "20190711": PackageResources.kobis_daily_20190711_json,
    "20190712": PackageResources.kobis_daily_20190712_json,
    "20190713": PackageResources.kobis_daily_20190713_json,
    "20190714": PackageResources.kobis_daily_20190714_json,
  ]

  /// The body of `searchWeeklyBoxOfficeList` with `weekGb` 0, Monday to Sunday.
  package static var weeklyBody: [UInt8] { PackageResources.kobis_weekly_20190708_json }

  /// The body of `searchWeeklyBoxOfficeList` with `weekGb` 1, Friday to Sunday.
  package static var weekendBody: [UInt8] { PackageResources.kobis_weekend_20190712_json }

  /// The bodies of `searchMovieInfo`, by `movieCd`: every movie that stands in one of the charts.
  package static let movieBodies: [String: [UInt8]] = [
    "20183782": PackageResources.kobis_movie_20183782_json,
    "20183867": PackageResources.kobis_movie_20183867_json,
    "20184047": PackageResources.kobis_movie_20184047_json,
    "20185353": PackageResources.kobis_movie_20185353_json,
    "20185986": PackageResources.kobis_movie_20185986_json,
    "20190273": PackageResources.kobis_movie_20190273_json,
    "20191601": PackageResources.kobis_movie_20191601_json,
    "20192151": PackageResources.kobis_movie_20192151_json,
    "20196309": PackageResources.kobis_movie_20196309_json,
    "20196655": PackageResources.kobis_movie_20196655_json,
    "20198323": PackageResources.kobis_movie_20198323_json,
    "20198453": PackageResources.kobis_movie_20198453_json,
    "20199951": PackageResources.kobis_movie_20199951_json,
  ]
}
