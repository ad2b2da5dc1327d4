import HTTPTransport
import Matinee
import Testing

/// Looks at a chart in the store right after a sync has stored it, or failed to fetch it: it never differs from the
/// source, not even until the next fetch puts it right.
final class ChartWitness: Sendable {
  private let store: SQLiteMovieStore
  private let upstream: SimulatedUpstream
  private let note: Comment
  private let kept = LockedValue(0)

  /// Makes a witness; what it records bears `note`.
  init(of store: SQLiteMovieStore, against upstream: SimulatedUpstream, note: Comment) {
    self.store = store
    self.upstream = upstream
    self.note = note
  }

  /// How often a fetch failed of a chart that was stored, and which stayed as it was.
  var keptCount: Int { kept.withLock { $0 } }

  /// Looks at the event's chart.
  ///
  /// The sync goes on only when this returns, and with one call at a time nothing else is written meanwhile.
  func look(_ event: SyncEvent) async {
    guard case .boxOffice(let period, _) = event.resource.subject else { return }
    do throws(StoreError) {
      let entry = try await store.entry(for: event.resource)
      guard let value = entry?.value else {
        if event.outcome != .failed { Issue.record("\(event.resource) is told and not stored: \(note)") }
        return
      }
      if value != .boxOffice(upstream.chart(of: period)) || entry?.record.revision != 1 {
        Issue.record("\(event.resource) was replaced by another chart: \(note)")
      }
      if event.outcome == .failed { kept.withLock { $0 += 1 } }
    } catch {
      Issue.record(error, note)
    }
  }
}
