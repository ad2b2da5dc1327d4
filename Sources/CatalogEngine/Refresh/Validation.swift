import HTTPTransport
import HTTPTypes

/// What an answer has to pass before it may be stored.
enum Validation {
  /// The value in `reply`, if the reply is one to `resource` and can be true.
  ///
  /// - Parameter stored: The record of what is stored now: nothing never takes the place of something.
  static func value(
    of reply: HTTPReply, to resource: ResourceID, from source: any MovieSource, stored: EntryRecord?,
    limits: TransportLimits
  ) throws(CatalogFailure) -> CatalogValue {
    guard reply.status.code == 200 else {
      throw CatalogFailure(
        .status, "\(source.provenance) answered \(resource) with status \(reply.status.code) in place of 200",
        detail: String(reply.status.code))
    }
    guard reply.body.count <= limits.decodedByteCountMax else {
      throw CatalogFailure(
        .tooLarge,
        "the answer to \(resource) has \(reply.body.count) bytes, the limit is \(limits.decodedByteCountMax)")
    }
    let value = try source.value(from: reply.body, for: resource.subject)
    guard value.subject == resource.subject else {
      throw CatalogFailure(
        .implausible,
        "\(source.provenance) answered \(resource) with \(value.subject.kind.rawValue)/\(value.subject.key)",
        detail: "anotherSubject")
    }
    if value.isEmpty, let stored, stored.fetchedAt != nil, !stored.isEmpty {
      throw CatalogFailure(
        .implausible,
        "\(source.provenance) answered \(resource) with an empty list, where rows are stored already",
        detail: "emptied")
    }
    return value
  }
}
