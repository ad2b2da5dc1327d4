// What the store knows beyond single resources. The network is not asked; a sync is what fills it.

extension MovieCatalog {
  /// What changed in the store, the oldest first: figures that were corrected, items that appeared, moved or vanished.
  ///
  /// ```swift
  /// for change in try await catalog.changes(since: yesterday) { print(change.resource, change.difference.kind) }
  /// ```
  ///
  /// - Parameters:
  ///   - instant: Changes stored then or later.
  ///   - id: Changes after this one alone, to go on where the last call ended.
  ///   - limit: The most changes to give, 1 to ``ChangeQuery/limitMax``.
  /// - Throws: ``StoreError``.
  public func changes(
    since instant: Timestamp, after id: CatalogChange.ID? = nil, limit: Int = 1000
  ) async throws -> [CatalogChange] {
    try await changes(ChangeQuery(since: instant, after: id, limit: limit))
  }

  /// What changed in the store, as a query asks for it.
  ///
  /// - Throws: ``StoreError``.
  public func changes(_ query: ChangeQuery) async throws -> [CatalogChange] {
    try await store.changes(query, upstream: source.upstream)
  }

  /// The movies that the upstream's list, charts and details have named, the latest openings first.
  ///
  /// - Throws: ``StoreError``.
  public func movies(_ query: ListingQuery = ListingQuery()) async throws -> Listing<KnownMovie> {
    try await store.movies(query, upstream: source.upstream)
  }

  /// The people that the upstream lists, by code.
  ///
  /// - Throws: ``StoreError``.
  public func people(_ query: ListingQuery = ListingQuery()) async throws -> Listing<KnownPerson> {
    try await store.people(query, upstream: source.upstream)
  }

  /// The companies that the upstream lists, by code.
  ///
  /// - Throws: ``StoreError``.
  public func companies(_ query: ListingQuery = ListingQuery()) async throws -> Listing<KnownCompany> {
    try await store.companies(query, upstream: source.upstream)
  }

  /// The latest syncs, the latest first.
  ///
  /// - Parameter limit: The most runs to give; the store keeps a thousand.
  /// - Throws: ``StoreError``.
  public func runs(limit: Int = 10) async throws -> [StoreSummary.Run] { try await store.runs(limit: limit) }
}
