import Logging

extension Logger.Metadata {
  /// What a log's reader has to know of a failure: of what, its code, and the upstream's own word for it.
  static func of(_ failure: CatalogFailure, resource: ResourceID) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "resource": "\(resource)", "code": "\(failure.code)", "reason": "\(failure.message)",
    ]
    if let detail = failure.detail { metadata["detail"] = "\(detail)" }
    if let setAsideUntil = failure.setAsideUntil { metadata["setAsideUntil"] = "\(setAsideUntil)" }
    return metadata
  }

  /// The same of the store's error.
  static func of(_ error: StoreError, resource: ResourceID? = nil) -> Logger.Metadata {
    var metadata: Logger.Metadata = ["code": "\(error.code)", "reason": "\(error.message)"]
    if let resource { metadata["resource"] = "\(resource)" }
    return metadata
  }
}
