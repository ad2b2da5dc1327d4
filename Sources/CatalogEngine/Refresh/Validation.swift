import HTTPTransport
import HTTPTypes

/// What an answer has to pass before it may be stored.
enum Validation {
  /// The value in `reply`, if the reply is one to `resource` and can be true.
  static func value(
    of reply: HTTPReply, to resource: ResourceID, from source: any MovieSource, limits: TransportLimits
  ) throws(CatalogFailure) -> CatalogValue {
    guard reply.status.code == 200 else {
      throw CatalogFailure(
        .status, "\(source.provenance) answered \(resource) with status \(reply.status.code) in place of 200",
        detail: String(reply.status.code))
    }
    guard reply.body.count <= limits.decodedByteCountMax else {
      throw CatalogFailure(
        .tooLarge,
        "the answer to \(resource) has \(reply.body.count) bytes, more than \(limits.decodedByteCountMax)")
    }
    let value = try source.value(from: reply.body, for: resource.subject)
    guard value.subject == resource.subject else {
      let (kind, key) = (value.subject.kind.rawValue, value.subject.key)
      throw CatalogFailure(
        .implausible, "\(source.provenance) answered \(resource) with \(kind)/\(key)",
        detail: "anotherSubject")
    }
    if case .boxOffice(let chart) = value { try check(chart, resource: resource, source: source) }
    return value
  }

  /// Refuses nothing in the place of something.
  static func checkEmptied(
    _ resource: ResourceID, stored: EntryRecord?, source: any MovieSource
  ) throws(CatalogFailure) {
    guard let stored, stored.fetchedAt != nil, !stored.isEmpty else { return }
    throw CatalogFailure(
      .implausible,
      "\(source.provenance) answered \(resource) with an empty list, where rows are stored already",
      detail: "emptied")
  }

  /// A source may be anybody's; what the store relies on is checked here once more.
  private static func check(
    _ chart: BoxOffice, resource: ResourceID, source: any MovieSource
  ) throws(CatalogFailure) {
    var seen: Set<MovieCode> = []
    for entry in chart.entries {
      guard seen.insert(entry.movieCode).inserted, entry.position >= 1 else {
        throw CatalogFailure(
          .implausible,
          "\(source.provenance) answered \(resource) with movie \(entry.movieCode) at position \(entry.position) twice or "
            + "before the first position", detail: "repeatedMovie")
      }
    }
  }
}
