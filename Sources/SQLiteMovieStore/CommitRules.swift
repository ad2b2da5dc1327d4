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
    let differences = try replaceValue(of: answer, resource: number, outcome, over: stored?.value)
    try saveChanges(differences, of: answer, revision: revision)
    let invalidatedAt = stored?.record.invalidatedAt
    let record = EntryRecord(
      fetchedAt: answer.fetchedAt, provenance: answer.provenance, isEmpty: answer.value.isEmpty,
      revision: revision, invalidatedAt: invalidatedAt.flatMap { $0 > answer.askedAt ? $0 : nil },
      lastAttemptAt: answer.fetchedAt)
    return CommitReceipt(outcome: outcome, entry: StoredEntry(value: answer.value, record: record))
  }

  /// Puts an answer's rows in the place of those stored under the resource's number, if it is a revision.
  ///
  /// - Returns: What is news in it.
  private func replaceValue(
    of answer: FetchedAnswer, resource: Int64, _ outcome: CommitReceipt.Outcome, over stored: CatalogValue?
  ) throws(StoreError) -> [CatalogChange.Difference] {
    let isRevision = outcome != .unchanged
    switch answer.value {
    case .boxOffice(let chart):
      if isRevision { try replaceChart(chart, resource: resource, isFirst: outcome == .fetched) }
    case .movieDetails(let details):
      if isRevision { try replaceMovieDetails(details, resource: resource) }
    case .personDetails(let details):
      if isRevision { try replacePersonDetails(details, resource: resource) }
    case .companyDetails(let details):
      if isRevision { try replaceCompanyDetails(details, resource: resource) }
    case .codes(let table):
      if isRevision { try replaceCodeTable(table, resource: resource) }
    // Pages tell row by row what is news, and count for their list even if they say nothing new.
    case .moviePage(let page):
      return try commitPage(page, of: answer, resource: resource, isRevision: isRevision)
    case .companyPage(let page):
      return try commitPage(page, of: answer, resource: resource, isRevision: isRevision)
    case .peoplePage(let page):
      return try commitPage(page, of: answer, resource: resource, isRevision: isRevision)
    }
    switch outcome {
    case .unchanged, .kept: return []
    case .fetched: return answer.value.differences(from: nil)
    case .revised:
      // Of what could not be read any more nobody knows in what it was corrected.
      return stored.map { answer.value.differences(from: $0) } ?? [.init(.corrected)]
    }
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
    if answer.value.isEmpty && !value.isEmpty && !answer.value.isPastEnd { return .kept }
    return value.saysTheSame(as: answer.value) ? .unchanged : .revised
  }
}
