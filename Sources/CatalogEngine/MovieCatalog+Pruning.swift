/// What pruning a store came to.
public struct PruneReport: Hashable, Sendable {
  /// What was asked for.
  public var request: PruneRequest
  /// What was removed.
  public var removed: PruneCount
  /// Whether all of it was removed, and the space reclaimed.
  public var isComplete: Bool
  /// The space that the store takes afterwards; `nil` if it came not so far.
  public var space: StoreSpace?
  /// The store's failure that ended it; `nil` if none did.
  public var storeError: StoreError?

  /// Makes a report.
  public init(
    request: PruneRequest, removed: PruneCount, isComplete: Bool, space: StoreSpace? = nil,
    storeError: StoreError? = nil
  ) {
    self.request = request
    self.removed = removed
    self.isComplete = isComplete
    self.space = space
    self.storeError = storeError
  }
}

extension MovieCatalog {
  /// The most resources that one transaction of ``prune(keeping:charts:rewriting:)`` removes: other writers wait for it.
  public static let pruneBatchCountMax = 200

  /// What ``prune(keeping:charts:rewriting:)`` would remove at present; nothing is written.
  ///
  /// - Throws: ``StoreError``.
  public func prunable(keeping keep: Duration, charts: Bool = false) async throws -> PruneReport {
    let request = pruneRequest(keeping: keep, charts: charts)
    return PruneReport(request: request, removed: try await store.prunable(request), isComplete: true)
  }

  /// Removes what nobody needs any more (see ``PruneRequest``), and reclaims its space.
  ///
  /// It works beside syncs and readers, in many short transactions; what is removed is so old that no sync at work has to
  /// do with it, and was it read a moment ago, the reader has it. A cancelled one ends after the transaction under way,
  /// and reports what it did; so does one whose store failed.
  ///
  /// - Parameters:
  ///   - keep: How much of the past is kept.
  ///   - charts: Whether charts may go as well.
  ///   - rewrites: Whether the store is written anew afterwards, so that what is free goes back to the file system.
  /// - Precondition: `keep` is at least ``PruneRequest/keepMin``.
  public func prune(
    keeping keep: Duration, charts: Bool = false, rewriting rewrites: Bool = false
  ) async -> PruneReport {
    let request = pruneRequest(keeping: keep, charts: charts)
    var report = PruneReport(request: request, removed: PruneCount(), isComplete: false)
    do throws(StoreError) {
      while !Task.isCancelled {
        let removed = try await store.prune(request, limit: Self.pruneBatchCountMax)
        report.removed += removed
        guard removed.total == 0 else { continue }
        report.space = try await store.reclaimSpace(rewriting: rewrites)
        report.isComplete = true
        break
      }
    } catch {
      // Cancelled in a wait for the store, or while it was rewritten.
      if !Task.isCancelled { report.storeError = error }
    }
    return report
  }

  private func pruneRequest(keeping keep: Duration, charts: Bool) -> PruneRequest {
    PruneRequest(upstream: source.upstream, keeping: keep, charts: charts, at: clock.wallTime)
  }
}
