// How a reading is made of what is stored and of what was fetched.

extension MovieCatalog {
  /// A stored answer with everything a reading needs.
  struct Stored<Value: CatalogContent> {
    var id: ResourceID
    var value: Value
    var record: EntryRecord
    var provenance: Provenance
    var fetchedAt: Timestamp
    var age: Duration
    var freshness: Freshness
    var nextAttemptAt: Timestamp?
  }

  func id<Value>(of resource: Resource<Value>) -> ResourceID {
    ResourceID(upstream: source.upstream, subject: resource.reference.resolved(at: clock.wallTime))
  }

  func stored<Value>(_ id: ResourceID, as type: Value.Type) async throws -> Stored<Value>? {
    guard let entry = try await store.entry(for: id) else { return nil }
    return try stored(entry, id: id)
  }

  private func stored<Value>(_ entry: StoredEntry, id: ResourceID) throws -> Stored<Value>? {
    let record = entry.record
    guard let erased = entry.value, let fetchedAt = record.fetchedAt, let provenance = record.provenance
    else {
      return nil
    }
    guard let value = Value(erased) else {
      throw StoreError(.corrupt, "the store holds another type of answer under \(id)")
    }
    let now = clock.wallTime
    let lifetime = lifetimes.lifetime(of: id.subject, isEmpty: erased.isEmpty, fetchedAt: fetchedAt)
    let freshness =
      Freshness.decide(record, lifetime: lifetime, source: source.provenance, now: now) ?? .expired
    return Stored(
      id: id, value: value, record: record, provenance: provenance, fetchedAt: fetchedAt,
      age: now.duration(since: fetchedAt), freshness: freshness,
      nextAttemptAt: freshness == .fresh ? fetchedAt.advanced(by: lifetime.fresh) : nil)
  }

  func plan<Value>(_ stored: Stored<Value>?, policy: ReadPolicy, maxAge: Duration?) -> ReadPlan {
    let isTooOld =
      if let stored, let maxAge { stored.age > maxAge || stored.freshness == .future } else { false }
    return ReadPlan.decide(policy: policy, freshness: stored?.freshness, isTooOld: isTooOld)
  }

  func served<Value>(
    _ stored: Stored<Value>?, because failure: CatalogFailure? = nil, else absent: CatalogFailure
  ) throws -> Reading<Value> {
    guard let stored else { throw absent }
    return Reading(
      resource: stored.id, value: stored.value, origin: .cache, source: stored.provenance,
      fetchedAt: stored.fetchedAt, age: stored.age, freshness: stored.freshness,
      servedBecause: failure, lastAttemptAt: failure?.attemptedAt ?? stored.record.lastAttemptAt,
      nextAttemptAt: failure?.nextAttemptAt ?? stored.nextAttemptAt, revision: stored.record.revision)
  }

  func fetch<Value>(
    _ id: ResourceID, fallback: ReadPlan.Fallback, stored: Stored<Value>?
  ) async throws -> Reading<Value> {
    // Before a flight is begun: an upstream known to be down, or to have no calls left, costs no more than a look.
    if let refusal = await refresher.knownRefusal() {
      return try fallBack(on: stored, fallback, id, because: refusal)
    }
    switch try await refresher.refresh(id, after: stored?.record).result {
    case .success(let refreshed):
      return try reading(of: refreshed, id: id)
    case .failure(.upstream(let failure)):
      return try fallBack(on: stored, fallback, id, because: failure)
    case .failure(.store(let error)):
      guard stored != nil, fallback == .serve else { throw error }
      return try fallBack(on: stored, fallback, id, because: .unaccountable(error, at: clock.wallTime))
    // A read is no part of a sync; the flight it joined may have been.
    case .failure(.anotherSync), .failure(.cancelled):
      throw CancellationError()
    }
  }

  private func fallBack<Value>(
    on stored: Stored<Value>?, _ fallback: ReadPlan.Fallback, _ id: ResourceID,
    because failure: CatalogFailure
  ) throws -> Reading<Value> {
    switch fallback {
    case .serve: return try served(stored, because: failure, else: failure)
    case .fail: throw failure
    case .failTooOld: throw CatalogFailure.tooOld(id, age: stored?.age, becauseOf: failure)
    }
  }

  private func reading<Value>(of refreshed: Refresher.Refreshed, id: ResourceID) throws -> Reading<Value> {
    let answer = refreshed.answer
    if case .success(let receipt) = refreshed.receipt, receipt.outcome == .kept {
      return try served(try stored(receipt.entry, id: id), else: .notStored(id))
    }
    guard let value = Value(answer.value) else {
      throw StoreError(.other, "the source gave another type of answer to \(id)")
    }
    let lifetime = lifetimes.lifetime(
      of: id.subject, isEmpty: answer.value.isEmpty, fetchedAt: answer.fetchedAt)
    // A disk that is full costs the answer its place in the store, not its reader.
    let revision = (try? refreshed.receipt.get())?.entry.record.revision ?? 0
    return Reading(
      resource: id, value: value, origin: .network, source: answer.provenance, fetchedAt: answer.fetchedAt,
      age: .zero, freshness: .fresh, lastAttemptAt: answer.fetchedAt,
      nextAttemptAt: answer.fetchedAt.advanced(by: lifetime.fresh), revision: revision)
  }
}

extension CatalogFailure {
  /// When the upstream was asked in vain; `nil` if it never came to a call.
  fileprivate var attemptedAt: Timestamp? { isRefusal ? nil : at }

  /// The call was not made: it could not be entered in the ledger, and what is not entered is not spent.
  static func unaccountable(_ error: StoreError, at now: Timestamp) -> CatalogFailure {
    CatalogFailure(
      .quota, "the upstream was not asked, as the call could not be entered in the ledger: \(error)",
      detail: CatalogFailure.ledger, at: now)
  }

  /// Nothing is stored under `id`, and the upstream may not be asked.
  static func notStored(_ id: ResourceID) -> CatalogFailure {
    CatalogFailure(.notStored, "nothing is stored for \(id), and the policy does not ask the upstream")
  }

  /// What is stored under `id` is older than allowed; `failure` is why there is nothing younger.
  static func tooOld(_ id: ResourceID, age: Duration?, becauseOf failure: CatalogFailure?) -> CatalogFailure {
    let stored =
      "what is stored for \(id) is \(age.map { "\($0.wholeSeconds) s old, " } ?? "")older than allowed"
    guard let failure else { return CatalogFailure(.tooOld, stored) }
    return CatalogFailure(
      .tooOld, "\(stored), and asking the upstream failed: \(failure)", detail: failure.code.rawValue,
      at: failure.at, nextAttemptAt: failure.nextAttemptAt)
  }
}
