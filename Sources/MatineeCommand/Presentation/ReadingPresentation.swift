import CatalogEngine

/// A reading without its value: what any answer of the catalogue says of where it comes from.
struct ReadingProvenance {
  var resource: ResourceID
  var origin: String
  var source: Provenance
  var fetchedAt: Timestamp
  var age: Duration
  var freshness: Freshness
  var servedBecause: CatalogFailure?
  var lastAttemptAt: Timestamp?
  var nextAttemptAt: Timestamp?
  var revision: Int

  init(_ reading: Reading<some CatalogContent>) {
    resource = reading.resource
    origin = reading.origin.rawValue
    source = reading.source
    fetchedAt = reading.fetchedAt
    age = reading.age
    freshness = reading.freshness
    servedBecause = reading.servedBecause
    lastAttemptAt = reading.lastAttemptAt
    nextAttemptAt = reading.nextAttemptAt
    revision = reading.revision
  }

  /// Where the answer came from, how old it is and how far it has aged, for a line of a table's head.
  func summary(style: Style) -> String {
    let place = source == .recorded ? "recorded sample" : source.description.neutralized
    let freshness = style.drawn(self.freshness.shown, as: self.freshness == .fresh ? .plain : .warning)
    return "\(place) · fetched \(age.ago) · \(freshness)"
  }

  /// What a reader has to know before trusting the answer: that it is stale, why, and that it is a sample.
  var warnings: [String] {
    let sample = source == .recorded ? " (recorded sample)" : ""
    if let failure = servedBecause {
      return ["served from the cache, \(age.spoken) old\(sample): \(failure)"]
    }
    switch freshness {
    case .fresh: return source == .recorded ? ["this is a recorded sample, not live data"] : []
    case .revalidating:
      return ["served from the cache, \(age.spoken) old\(sample): it is being refreshed behind"]
    case .staleOnError, .expired:
      return ["served from the cache, \(age.spoken) old\(sample): it is past its lifetime"]
    case .future:
      return ["served from the cache, fetched \(age.ago)\(sample): was the clock set back?"]
    }
  }
}

extension Freshness {
  /// The state in words.
  fileprivate var shown: String {
    switch self {
    case .fresh: "fresh"
    case .revalidating: "being refreshed"
    case .staleOnError: "stale"
    case .expired: "expired"
    case .future: "from the future"
    }
  }
}

extension JSONWriter {
  /// Writes a failure as an object, or `null`.
  mutating func member(_ name: String, failure: CatalogFailure?) {
    member(name, object: failure) { json, failure in
      json.member("code", failure.code.rawValue)
      json.member("message", failure.message)
      json.member("at", failure.at?.description)
    }
  }

  /// Writes where an answer comes from, from `origin` to `revision`, as members of the object that is open.
  mutating func members(of provenance: ReadingProvenance) {
    member("origin", provenance.origin)
    member("source", provenance.source.description)
    member("fetchedAt", provenance.fetchedAt.description)
    member("ageSeconds", provenance.age.wholeSeconds)
    member("freshness", provenance.freshness.rawValue)
    member("servedBecause", failure: provenance.servedBecause)
    member("lastAttemptAt", provenance.lastAttemptAt?.description)
    member("nextAttemptAt", provenance.nextAttemptAt?.description)
    member("revision", provenance.revision)
  }
}
