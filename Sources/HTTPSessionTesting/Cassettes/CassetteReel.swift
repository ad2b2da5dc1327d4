/// The exchanges of a cassette while it plays and records; its owner keeps it under a lock.
struct CassetteReel {
  struct Rules: Sendable {
    let replays: Bool
    let records: Bool
    let replacesMatches: Bool
    let matching: CassetteMatching
    let repeats: CassetteSession.Repeats
  }

  enum Claim {
    case play(RecordedExchange.Outcome)
    case record(slot: Int)
    case fail(HTTPTestingError)
  }

  private struct Track {
    /// `nil` while its request is under way, and for good if nothing came of it.
    var exchange: RecordedExchange?
    let matcher: RequestMatcher
    var playCount = 0
    /// Whether this run recorded it or is about to.
    var isOfThisRun = false
  }

  private var tracks: [Track]
  private let rules: Rules
  private(set) var recordingCount = 0
  private var savedRecordingCount = 0

  init(exchanges: [RecordedExchange], rules: Rules) {
    self.rules = rules
    tracks = exchanges.map { Track(exchange: $0, matcher: rules.matching.matcher(for: $0.request)) }
  }

  var unplayed: [RecordedExchange] {
    tracks.filter { $0.playCount == 0 && !$0.isOfThisRun }.compactMap(\.exchange)
  }

  mutating func claim(_ request: SentRequest, fileName: String) -> Claim {
    let matching = tracks.indices.filter { index in
      !tracks[index].isOfThisRun && tracks[index].matcher.evaluate(request).isMatch
    }
    if rules.replays, let index = next(of: matching), let exchange = tracks[index].exchange {
      tracks[index].playCount += 1
      return .play(exchange.outcome)
    }
    guard rules.records else {
      return .fail(unmatched(request, matchCount: matching.count, fileName))
    }
    if rules.replacesMatches, let index = matching.first {
      tracks[index].isOfThisRun = true
      return .record(slot: index)
    }
    tracks.append(
      Track(exchange: nil, matcher: rules.matching.matcher(for: request), isOfThisRun: true))
    return .record(slot: tracks.count - 1)
  }

  private func next(of matching: [Int]) -> Int? {
    if let fresh = matching.first(where: { tracks[$0].playCount == 0 }) { return fresh }
    switch rules.repeats {
    case .never: return nil
    case .last: return matching.last
    case .startAgain: return matching.min { tracks[$0].playCount < tracks[$1].playCount }
    }
  }

  mutating func keep(_ exchange: RecordedExchange, in slot: Int) {
    tracks[slot].exchange = exchange
    recordingCount += 1
  }

  /// Gives up a slot whose request came to nothing; what was recorded there before stays.
  mutating func drop(_ slot: Int) { tracks[slot].isOfThisRun = tracks[slot].exchange == nil }

  var hasUnsavedRecordings: Bool { recordingCount > savedRecordingCount }

  /// The cassette as it is now and how many recordings are in it; `nil` if nothing is to be saved.
  var unsaved: (cassette: Cassette, recordingCount: Int)? {
    guard hasUnsavedRecordings else { return nil }
    return (Cassette(exchanges: tracks.compactMap(\.exchange)), recordingCount)
  }

  /// Takes note that the first `recordingCount` recordings are saved; later ones are not.
  mutating func didSave(recordingCount: Int) { savedRecordingCount = recordingCount }

  private func unmatched(_ request: SentRequest, matchCount: Int, _ fileName: String)
    -> HTTPTestingError
  {
    guard matchCount == 0 else {
      return HTTPTestingError(
        .unmatchedRequest,
        "\(request): \(fileName) has \(matchCount) of it, and all were played. Record again, or set repeats."
      )
    }
    let nearest = tracks.map { ($0, $0.matcher.evaluate(request)) }
      .min { $0.1.isNearer(than: $1.1) }
    guard let (track, result) = nearest, let recorded = track.exchange?.request else {
      return HTTPTestingError(.unmatchedRequest, "\(request): \(fileName) has no exchanges.")
    }
    return HTTPTestingError(
      .unmatchedRequest,
      "\(request) is not on \(fileName). The nearest is \(recorded): "
        + "\(result.mismatches.joined(separator: "; ")). Record it with mode .newEpisodes.")
  }
}
