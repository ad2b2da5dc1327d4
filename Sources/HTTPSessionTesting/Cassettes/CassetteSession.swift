public import Foundation
public import HTTPTransport
public import HTTPTypes

/// Records the exchanges of another session on a ``Cassette`` once, and replays them ever after.
///
/// ```swift
/// let session = try CassetteSession(file: Cassette.location(named: "users"))              // replays
/// let recording = try CassetteSession(file: file, mode: .once, upstream: transport)       // records, if missing
/// try recording.finish()
/// ```
/// **Order and repeats.** Among the exchanges that match a request, each is played once, in recorded order; then
/// ``Repeats`` says what happens. Requests that match different exchanges may come in any order.
///
/// **Secrets** are replaced as the ``Redaction`` says before anything is matched, kept or saved, so a test matches
/// whatever its key is.
///
/// **Errors** are recorded like replies; only cancellation is not, which is the caller's doing.
public final class CassetteSession: HTTPSession, OrderedSession {
  /// Whether and what to record.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Replay only; a request that was not recorded fails the test. The default.
    case none
    /// Record everything if there is no file; replay only if there is one.
    case once
    /// Replay what was recorded, record what was not.
    case newEpisodes
    /// Ask the upstream always; each recording takes the place of the one it matches, new ones come last, those
    /// not asked for stay.
    case all
    /// Ask the upstream always; the file becomes what this run recorded.
    case rewrite
  }

  /// What is played when all matching exchanges were.
  public enum Repeats: Hashable, Sendable {
    /// Nothing: such a request was not recorded. The default.
    case never
    /// The last of them, again and again.
    case last
    /// The first again, and so on.
    case startAgain
  }

  /// What was asked, in order, with bodies and secrets replaced.
  public let journal = RequestJournal()

  /// The cassette's file.
  public let file: URL

  /// Whether and what this session records.
  public let mode: Mode

  private let upstream: (any HTTPSession)?
  private let redaction: Redaction
  private let reporter: IssueSink
  private let state: LockedValue<CassetteReel>
  /// Looked up where the session is made: URLSession asks it from a thread that knows nothing of the test.
  private let isNetworkForbidden = NetworkAccess.isForbidden

  /// Opens a cassette.
  ///
  /// - Parameters:
  ///   - file: The cassette's file.
  ///   - mode: Whether and what to record.
  ///   - upstream: What is asked and recorded; never asked in mode `none`.
  ///   - redaction: What is replaced.
  ///   - matching: In which parts a request must equal a recorded one.
  ///   - repeats: What is played when all matching exchanges were.
  ///   - unmatched: What a request that was not recorded does besides throwing.
  /// - Throws: ``HTTPTestingError`` if the file is missing where it must be there, or cannot be read.
  public init(
    file: URL, mode: Mode = .none, upstream: (any HTTPSession)? = nil,
    redaction: Redaction = .default,
    matching: CassetteMatching = .default, repeats: Repeats = .never,
    unmatched: UnmatchedPolicy = .fail,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(HTTPTestingError) {
    try redaction.validate()
    let isThere = FileManager.default.fileExists(atPath: file.path)
    let exchanges: [RecordedExchange]
    switch mode {
    case .none: exchanges = try Cassette(contentsOf: file, redaction: redaction).exchanges
    case .once, .newEpisodes, .all:
      exchanges = isThere ? try Cassette(contentsOf: file, redaction: redaction).exchanges : []
    case .rewrite: exchanges = []
    }
    self.file = file
    self.mode = mode
    self.upstream = upstream
    self.redaction = redaction
    reporter = IssueSink(
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column),
      policy: unmatched)
    let rules = CassetteReel.Rules(
      replays: mode == .none || mode == .once || mode == .newEpisodes,
      records: mode == .newEpisodes || mode == .all || mode == .rewrite
        || (mode == .once && !isThere),
      replacesMatches: mode == .all, matching: matching, repeats: repeats)
    state = LockedValue(CassetteReel(exchanges: exchanges, rules: rules))
  }

  deinit {
    guard state.withLock({ $0.hasUnsavedRecordings }) else { return }
    reporter.report(
      HTTPTestingError(
        .cassetteNotSaved,
        "\(file.path): recordings were made and not saved. Call finish() at the end."))
  }

  /// The recorded exchanges that no request has asked for yet.
  public var unplayedExchanges: [RecordedExchange] { state.withLock { $0.unplayed } }

  /// The kit's own failures so far.
  public var failures: [HTTPTestingError] { reporter.failures }

  /// Plays a recorded exchange, or asks the upstream and records.
  ///
  /// - Throws: The recorded or the upstream's error, or ``HTTPTestingError`` if the request was not recorded.
  public func send(
    _ request: HTTPRequest, body: [UInt8], limits: TransportLimits
  ) async throws -> HTTPReply {
    let sent = SentRequest(request, body: body, limits: limits)
    guard !Task.isCancelled else {
      journal.record(redaction.redacting(sent))
      throw TransportError(.cancelled, for: request, detail: "The task was cancelled before the answer.")
    }
    return try await begin(sent)()
  }

  func begin(_ sent: SentRequest) -> PendingReply {
    let redacted = redaction.redacting(sent)
    journal.record(redacted)
    switch state.withLock({ $0.claim(redacted, fileName: file.path) }) {
    case .play(let outcome): return { try Self.play(outcome, for: sent) }
    case .record(let slot):
      let pending: PendingReply
      do throws(HTTPTestingError) {
        pending = try upstream(for: redacted).start(sent)
      } catch {
        pending = { throw error }
      }
      return { try await self.record(sent, pending, in: slot) }
    case .fail(let error):
      return { [reporter] in
        await reporter.reportAndWait(error)
        throw error
      }
    }
  }

  private static func play(
    _ outcome: RecordedExchange.Outcome, for sent: SentRequest
  ) throws -> HTTPReply {
    guard !Task.isCancelled else {
      throw TransportError(
        .cancelled, for: sent.request, detail: "The task was cancelled before the answer.")
    }
    switch outcome {
    case .reply(let reply): return reply
    case .failure(let error): throw error
    }
  }

  /// Saves what was recorded, if anything was; call it at the end in every mode but `none`.
  ///
  /// - Throws: ``HTTPTestingError`` if the file cannot be written.
  public func finish() throws(HTTPTestingError) {
    guard let (cassette, recordingCount) = state.withLock({ $0.unsaved }) else { return }
    try cassette.write(to: file, redaction: redaction)
    state.withLock { $0.didSave(recordingCount: recordingCount) }
  }

  /// Gives up what was recorded and not saved, as when the test failed before its end; the file stays as it is.
  public func discardRecordings() {
    state.withLock { $0.didSave(recordingCount: $0.recordingCount) }
  }

  /// Throws the first failure of the kit's own, or the first exchange that was not played.
  ///
  /// - Parameter allowsUnplayedExchanges: Whether exchanges that no request asked for are fine.
  /// - Throws: ``HTTPTestingError``.
  public func verify(allowsUnplayedExchanges: Bool = false) throws(HTTPTestingError) {
    if let failure = reporter.failures.first { throw failure }
    guard !allowsUnplayedExchanges, let exchange = unplayedExchanges.first else { return }
    throw HTTPTestingError(
      .unplayedExchange,
      "\(file.path): no request asked for \(exchange.request). Remove it, or record again.")
  }

  private func record(
    _ sent: SentRequest, _ pending: PendingReply, in slot: Int
  ) async throws -> HTTPReply {
    do {
      let reply = try await pending()
      keep(RecordedExchange(sent, .reply(reply)), in: slot)
      return reply
    } catch let error as TransportError where error.code != .cancelled {
      keep(RecordedExchange(sent, .failure(error)), in: slot)
      throw error
    } catch let error as HTTPTestingError {
      state.withLock { $0.drop(slot) }
      if error.code == .networkForbidden { await reporter.reportAndWait(error) }
      throw error
    } catch  where error is CancellationError || error is TransportError {
      state.withLock { $0.drop(slot) }
      throw error
    } catch {
      let recorded = TransportError(.other, for: sent.request, detail: "\(type(of: error))")
      keep(RecordedExchange(sent, .failure(recorded)), in: slot)
      throw error
    }
  }

  private func upstream(for redacted: SentRequest) throws(HTTPTestingError) -> any HTTPSession {
    guard let upstream else {
      throw HTTPTestingError(
        .networkForbidden,
        "\(file.path): mode \(mode) records, but there is no upstream to ask for \(redacted).")
    }
    guard !isNetworkForbidden, !NetworkAccess.isForbidden else {
      throw HTTPTestingError(
        .networkForbidden, "\(redacted) is not on \(file.path), and this test may not use the network.")
    }
    return upstream
  }

  private func keep(_ exchange: RecordedExchange, in slot: Int) {
    let redacted = redaction.redacting(exchange)
    state.withLock { $0.keep(redacted, in: slot) }
  }
}
