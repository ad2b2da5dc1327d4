import Foundation
import HTTPSessionTesting
import HTTPTransport
import HTTPTypes
import Matinee
import MatineeTesting

/// One database file, for several catalogues at once or one after another, and an upstream that counts its calls.
struct SharedFile<Clock: CatalogClock>: Sendable {
  let path: String
  let clock: Clock
  let upstream: CountingUpstream

  /// Opens a catalogue over the file, and its store.
  func open(
    _ configuration: CatalogConfiguration = CatalogConfiguration(), source: any MovieSource = Upstream.source,
    random: @escaping @Sendable () -> Double = { 0.5 }
  ) async throws -> (catalog: MovieCatalog, store: SQLiteMovieStore) {
    let store = try await SQLiteMovieStore(.file(path))
    let catalog = MovieCatalog(
      store: store, source: source, session: upstream, clock: clock, configuration: configuration,
      random: random)
    return (catalog, store)
  }
}

/// Lends a new file; `answer` is what the upstream does at its nth call, from 0, and the recorded week by default.
func withSharedFile<Clock: CatalogClock, Result>(
  clock: Clock, answer: @escaping CountingUpstream.Answering = CountingUpstream.recordedWeek,
  _ body: (SharedFile<Clock>) async throws -> Result
) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "matinee-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let path = folder.appending(path: "movies.db").path(percentEncoded: false)
  return try await body(SharedFile(path: path, clock: clock, upstream: CountingUpstream(answer)))
}

/// The same with a clock that stands still, three years after the recorded week.
func withSharedFile<Result>(
  answer: @escaping CountingUpstream.Answering = CountingUpstream.recordedWeek,
  _ body: (SharedFile<ManualClock>) async throws -> Result
) async throws -> Result {
  try await withSharedFile(
    clock: ManualClock(inKorea: Upstream.day.advanced(by: 1100)), answer: answer, body)
}

/// An upstream that is a closure, and keeps its own count.
final class CountingUpstream: HTTPSession {
  typealias Answering =
    @Sendable (_ number: Int, HTTPRequest, TransportLimits) async throws -> HTTPReply

  private let answer: LockedValue<Answering>
  private let count = LockedValue(0)

  init(_ answer: @escaping Answering) { self.answer = LockedValue(answer) }

  /// How many calls it was made.
  var callCount: Int { count.withLock { $0 } }

  /// Has it answer otherwise from now on.
  func answers(_ new: @escaping Answering) { answer.withLock { $0 = new } }

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    let number = count.withLock { count in
      defer { count += 1 }
      return count
    }
    let answer = answer.withLock { $0 }
    return try await answer(number, request, limits)
  }
}

extension CountingUpstream {
  static let recordedWeek: Answering = { _, request, limits in
    try await RecordedSession().send(request, body: [], limits: limits)
  }
  static let refusing: Answering = { _, request, _ in
    throw TransportError(
      .connectionRefused, host: request.authority, path: request.path, detail: "nobody there")
  }
  static func status(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:]) -> HTTPReply {
    HTTPReply(head: HTTPResponse(status: status, headerFields: fields))
  }
  static func fault(_ number: String) -> HTTPReply {
    HTTPReply(
      head: HTTPResponse(status: .ok),
      body: Array(#"{"faultInfo":{"message":"m","errorCode":"\#(number)"}}"#.utf8))
  }
}

extension Upstream {
  /// The chart of a day of the recorded week, from 0 to 6.
  static func resource(_ number: Int) -> Resource<BoxOffice> {
    .dailyBoxOffice(on: .day(day.advanced(by: number)))
  }

  /// A sync of the charts of the recorded week's days.
  static func dailySync(
    budget: Int? = nil, concurrent: Int = 1, dayCount: Int = 7, waits: Bool = true
  ) -> SyncRequest {
    SyncRequest(
      days: day...day.advanced(by: dayCount - 1), streams: [.daily], callBudget: budget,
      concurrentCallCountMax: concurrent, waitsForOtherSync: waits)
  }
}

/// The code that a read failed with; `nil` if it did not.
func failureCode<Value>(_ result: Result<Reading<Value>, any Error>) -> CatalogFailure.Code? {
  guard case .failure(let error) = result else { return nil }
  return (error as? CatalogFailure)?.code
}
