import CatalogEngine
import SQLiteBinding

extension Connection {
  /// Stores an answer, its freshness and the run's progress; runs inside the one transaction of a write.
  func commit(_ answer: FetchedAnswer, in run: SyncRunID?) throws(StoreError) -> CommitReceipt {
    let stored = try readableEntry(for: answer.resource)
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
      case .personDetails, .companyDetails, .codes, .moviePage, .companyPage, .peoplePage:
        throw StoreError(.other, "\(answer.resource.subject.kind.rawValue) cannot be stored yet")
      }
    }
    let invalidatedAt = stored?.record.invalidatedAt
    let record = EntryRecord(
      fetchedAt: answer.fetchedAt, provenance: answer.provenance, isEmpty: answer.value.isEmpty,
      revision: revision,
      invalidatedAt: invalidatedAt.flatMap { $0 > answer.askedAt ? $0 : nil }, lastAttemptAt: answer.fetchedAt
    )
    return CommitReceipt(outcome: outcome, entry: StoredEntry(value: answer.value, record: record))
  }

  /// What is stored, without its value if that cannot be read: then the answer is what mends it.
  private func readableEntry(for resource: ResourceID) throws(StoreError) -> StoredEntry? {
    do throws(StoreError) {
      return try entry(for: resource)?.entry
    } catch  where error.code == .corrupt {
      return try recordRow(of: resource).map { StoredEntry(value: nil, record: $0.record) }
    } catch {
      throw error
    }
  }

  /// What becomes of an answer, over what is stored.
  private static func outcome(of answer: FetchedAnswer, over stored: StoredEntry?) -> CommitReceipt.Outcome {
    guard let stored, let provenance = stored.record.provenance else { return .fetched }
    guard let value = stored.value else { return .revised }
    if answer.provenance == .recorded && provenance != .recorded { return .kept }
    if answer.value.isEmpty && !value.isEmpty { return .kept }
    return value.saysTheSame(as: answer.value) ? .unchanged : .revised
  }
}
