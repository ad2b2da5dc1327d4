import Logging

// How a reading is made of what is stored and of what was fetched.

extension MovieCatalog {
  /// A stored answer with everything a reading needs.
  struct Stored<Value: CatalogContent> {
    var id: ResourceID
    var value: Value
    var record: EntryRecord
    var provenance: Provenance
    var fetchedAt: Timestamp
    var lifetime: Lifetime
    /// Its age and state when it was looked at.
    var age: Duration
    var freshness: Freshness
  }

  func id<Value>(of resource: Resource<Value>) -> ResourceID {
    ResourceID(upstream: source.upstream, subject: resource.reference.resolved(at: clock.wallTime))
  }

  /// What a read found before it decided.
  struct LookUp<Value: CatalogContent> {
    var id: ResourceID
    /// The stored answer; `nil` if there is none, or it was not looked for.
    var stored: Stored<Value>?
    /// The record that was seen, an empty one where there was none; `nil` if it was not looked for. A flight that
    /// has landed since the look is answer enough, so that whoever comes a moment late makes no call of his own.
    var seen: EntryRecord?
  }

  /// Resolves a resource and loads what is stored of it; a read of the upstream alone has no need of the store.
  func lookUp<Value>(_ resource: Resource<Value>, policy: ReadPolicy) async throws -> LookUp<Value> {
    let id = self.id(of: resource)
    guard policy != .networkOnly else { return LookUp(id: id) }
    do {
      let stored: Stored<Value>? = try await store.entry(for: id).flatMap { try self.stored($0, id: id) }
      return LookUp(id: id, stored: stored, seen: stored?.record ?? EntryRecord())
    } catch let error as StoreError where error.code == .corrupt && policy != .cacheOnly {
      // What cannot be read is as good as missing to whoever may ask the upstream, whose answer then mends it.
      logger.error("what is stored cannot be read", metadata: .of(error, resource: id))
      return LookUp(id: id)
    }
  }

  /// Does what was decided; of a plan with two readings, the last.
  func perform<Value>(_ plan: ReadPlan, _ found: LookUp<Value>) async throws -> Reading<Value> {
    switch plan {
    case .serve:
      return try served(found.stored, else: .notStored(found.id))
    case .serveAndRefresh:
      let reading = try served(found.stored, else: .notStored(found.id))
      refresher.refreshBehind(found.id, after: found.seen)
      return reading
    case .fetch(let fallback):
      return try await fetch(found, fallback: fallback)
    case .serveThenFetch:
      return try await fetch(found, fallback: .serve)
    case .failNotStored:
      throw CatalogFailure.notStored(found.id)
    case .failTooOld:
      throw CatalogFailure.tooOld(found.id, age: found.stored?.age, becauseOf: nil)
    }
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
    let lifetime = lifetimes.lifetime(of: id.subject, isEmpty: erased.isEmpty, fetchedAt: fetchedAt)
    return aged(
      Stored(
        id: id, value: value, record: record, provenance: provenance, fetchedAt: fetchedAt,
        lifetime: lifetime,
        age: .zero, freshness: .fresh))
  }

  /// The same answer as it looks now.
  private func aged<Value>(_ stored: Stored<Value>) -> Stored<Value> {
    let now = clock.wallTime
    var stored = stored
    stored.age = now.duration(since: stored.fetchedAt)
    stored.freshness =
      Freshness.decide(stored.record, lifetime: stored.lifetime, source: source.provenance, now: now)
      ?? .expired
    return stored
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
      nextAttemptAt: failure?.nextAttemptAt
        ?? (stored.freshness == .fresh ? stored.fetchedAt.advanced(by: stored.lifetime.fresh) : nil),
      revision: stored.record.revision)
  }

  func fetch<Value>(
    _ found: LookUp<Value>, fallback: ReadPlan.Fallback
  ) async throws -> Reading<Value> {
    let (id, stored) = (found.id, found.stored)
    // Before a flight is begun: an upstream known to be down, or to have no calls left, costs no more than a look.
    if let refusal = await refresher.knownRefusal() {
      return try fallBack(on: stored, fallback, id, because: refusal)
    }
    switch try await refresher.refresh(id, after: found.seen).result {
    case .success(let refreshed):
      return try reading(of: refreshed, id: id, stored: stored)
    case .failure(.upstream(let failure)):
      // It has aged while the upstream was waited for.
      return try fallBack(on: stored.map(aged), fallback, id, because: failure)
    case .failure(.store(let error)):
      guard stored != nil, fallback == .serve else { throw error }
      return try fallBack(on: stored, fallback, id, because: .unaccountable(error, at: clock.wallTime))
    // A read is no part of a sync, and asks for itself where the sync that it joined has to stop.
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

  private func reading<Value>(
    of refreshed: Refresher.Refreshed, id: ResourceID, stored: Stored<Value>?
  ) throws -> Reading<Value> {
    let answer = refreshed.answer
    let record = (try? refreshed.receipt.get())?.entry.record
    if case .success(let receipt) = refreshed.receipt, receipt.outcome == .kept {
      return try served(try self.stored(receipt.entry, id: id), else: .notStored(id))
    }
    guard let value = Value(answer.value) else {
      throw StoreError(.other, "the source gave another type of answer to \(id)")
    }
    let lifetime = lifetimes.lifetime(
      of: id.subject, isEmpty: answer.value.isEmpty, fetchedAt: answer.fetchedAt)
    // A disk that is full costs the answer its place in the store, not its reader; the next read asks again.
    return Reading(
      resource: id, value: value, origin: .network, source: answer.provenance, fetchedAt: answer.fetchedAt,
      age: .zero, freshness: .fresh, lastAttemptAt: answer.fetchedAt,
      nextAttemptAt: record == nil ? nil : answer.fetchedAt.advanced(by: lifetime.fresh),
      revision: record?.revision ?? stored?.record.revision ?? 0)
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
