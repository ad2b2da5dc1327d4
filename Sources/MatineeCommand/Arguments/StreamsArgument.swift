import ArgumentParser
import CatalogEngine

extension Set<SyncRequest.Stream> {
  /// Reads names of streams, parted by commas.
  static func parsed(_ text: String) throws -> Set<SyncRequest.Stream> {
    let all = SyncRequest.Stream.allCases.map(\.rawValue).joined(separator: ", ")
    var streams: Set<SyncRequest.Stream> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let stream = SyncRequest.Stream(rawValue: String(name)) else {
        throw ValidationError("there is no stream '\(name)'; there are \(all)")
      }
      streams.insert(stream)
    }
    return streams
  }
}
