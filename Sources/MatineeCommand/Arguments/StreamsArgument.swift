import ArgumentParser
import CatalogEngine

extension Set<SyncRequest.Stream> {
  /// Reads names of streams, parted by commas.
  static func parsed(_ text: String) throws -> Set<SyncRequest.Stream> {
    let all = SyncRequest.Stream.unfiltered.map(\.name).joined(separator: ", ")
    var streams: Set<SyncRequest.Stream> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let stream = SyncRequest.Stream(name) else {
        throw ValidationError(
          "there is no stream '\(name)'; there are \(all), and charts of a part as daily:korean")
      }
      streams.insert(stream)
    }
    return streams
  }
}
