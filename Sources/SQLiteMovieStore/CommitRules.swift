import CatalogEngine
import SQLiteBinding

extension Connection {
  /// Stores an answer, its freshness and the run's progress; runs inside the one transaction of a write.
  func commit(_ answer: FetchedAnswer, in run: SyncRunID?) throws(StoreError) -> CommitReceipt {
    let stored = try entry(for: answer.resource)?.entry
    let outcome = Self.outcome(of: answer, over: stored)
    if let run { try count(outcome, in: run) }
    if outcome == .kept, let stored { return CommitReceipt(outcome: .kept, entry: stored) }

    let storedRevision = stored?.record.revision ?? 0
    let isRevision = outcome != .unchanged
    let revision = isRevision ? storedRevision + 1 : storedRevision
    let number = try saveRecord(of: answer, revision: revision, isRevision: isRevision)
    if isRevision {
      switch answer.value {
      case .boxOffice(let chart): try replaceChart(chart, resource: number, isFirst: outcome == .fetched)
      case .movieDetails(let details): try replaceMovieDetails(details, resource: number)
      }
    }
    let record = EntryRecord(
      fetchedAt: answer.fetchedAt, provenance: answer.provenance, isEmpty: answer.value.isEmpty, revision: revision,
      lastAttemptAt: answer.fetchedAt)
    return CommitReceipt(outcome: outcome, entry: StoredEntry(value: answer.value, record: record))
  }

  /// What becomes of an answer, over what is stored.
  private static func outcome(of answer: FetchedAnswer, over stored: StoredEntry?) -> CommitReceipt.Outcome {
    guard let stored, let value = stored.value, let provenance = stored.record.provenance else { return .fetched }
    if answer.provenance == .recorded && provenance != .recorded { return .kept }
    if answer.value.isEmpty && !value.isEmpty { return .kept }
    return value.saysTheSame(as: answer.value) ? .unchanged : .revised
  }
}
