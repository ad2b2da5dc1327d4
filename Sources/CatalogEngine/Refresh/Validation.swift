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
    switch value {
    case .boxOffice(let chart): try check(chart, resource: resource, source: source)
    case .moviePage(let page): try check(page, resource: resource, source: source)
    case .companyPage(let page): try check(page, resource: resource, source: source)
    case .peoplePage(let page): try check(page, resource: resource, source: source)
    case .movieDetails, .personDetails, .companyDetails, .codes: break
    }
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

  /// Whether a value is held against the one that is stored.
  static func isMeasured(_ value: CatalogValue) -> Bool {
    switch value {
    case .boxOffice, .codes: true
    default: false
    }
  }

  /// Refuses what can only be a part of what is stored already, by the same source.
  ///
  /// A chart that was as long as charts are never becomes shorter: what came after its last row moves up. A shorter one
  /// may lose half of its rows, and no chart all of its figures. A list of codes hardly ever loses a row.
  static func check(
    _ value: CatalogValue, against stored: StoredEntry?, resource: ResourceID, source: any MovieSource
  ) throws(CatalogFailure) {
    guard let stored, stored.record.provenance == source.provenance else { return }
    switch (value, stored.value) {
    case (.boxOffice(let chart), .boxOffice(let earlier)?):
      let (count, earlierCount) = (chart.entries.count, earlier.entries.count)
      if count < earlierCount, earlierCount >= BoxOffice.rowCountUsual || count * 2 < earlierCount {
        throw partial(resource, source, "\(count) rows, where \(earlierCount) are stored", detail: "shrunk")
      }
      let hadAudience = earlier.entries.contains { $0.audience > 0 }
      if hadAudience, chart.entries.allSatisfy({ $0.audience == 0 }) {
        throw partial(resource, source, "no audience at all, where some is stored", detail: "zeroed")
      }
    case (.codes(let table), .codes(let earlier)?):
      let (count, earlierCount) = (table.entries.count, earlier.entries.count)
      if earlierCount - count > max(2, earlierCount / 10) {
        throw partial(resource, source, "\(count) codes, where \(earlierCount) are stored", detail: "shrunk")
      }
    default: break
    }
  }

  private static func partial(
    _ resource: ResourceID, _ source: any MovieSource, _ finding: String, detail: String
  ) -> CatalogFailure {
    CatalogFailure(
      .implausible, "\(source.provenance) answered \(resource) with \(finding)", detail: detail)
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
    guard chart.entries.enumerated().allSatisfy({ index, entry in entry.position == index + 1 }) else {
      throw partial(resource, source, "a chart that lacks a position", detail: "missingPosition")
    }
  }

  /// Refuses a page that contradicts its own count: without rows within its list, or with less than nine tenths of those
  /// that it has room for, where rows are missing whatever was stored; or with rows past its end. One without rows past
  /// the end, as its list has become shorter, is right.
  private static func check(
    _ page: CatalogPage<some Hashable & Sendable>, resource: ResourceID, source: any MovieSource
  ) throws(CatalogFailure) {
    let pageCount = CatalogList.pageCount(ofRows: page.totalCount)
    let isEmptyRightly = page.isPastEnd || (page.totalCount == 0 && page.number == 1)
    if !page.rows.isEmpty, page.number <= pageCount {
      let room = min(CatalogList.pageRowCount, page.totalCount - (page.number - 1) * CatalogList.pageRowCount)
      if page.rows.count * 10 >= room * 9 { return }
      throw partial(
        resource, source,
        "\(page.rows.count) rows, though by its count of \(page.totalCount) the page has \(room)",
        detail: "shortPage")
    }
    if page.rows.isEmpty, isEmptyRightly { return }
    throw CatalogFailure(
      .implausible,
      "\(source.provenance) answered \(resource) with\(page.rows.isEmpty ? "out" : "") rows, though by its count of "
        + "\(page.totalCount) the list has \(pageCount) pages",
      detail: page.rows.isEmpty ? "emptyPage" : "pageBeyondEnd")
  }
}
