import CatalogEngine

extension Reading {
  /// A fresh reading from KOBIS, of the noon of the test's day.
  init(_ subject: ResourceID.Subject, _ value: Value) {
    self.init(
      resource: ResourceID(upstream: UpstreamID("kobis"), subject: subject), value: value, origin: .cache,
      source: .host("kobis.or.kr"), fetchedAt: testNoon, age: .seconds(3600), freshness: .fresh,
      lastAttemptAt: testNoon, revision: 1)
  }
}

/// The noon in Korea of ``dayAfterTheWeek``, when tests take place.
let testNoon = dayAfterTheWeek.startInKorea.advanced(by: .seconds(12 * 3600))
