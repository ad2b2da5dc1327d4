public import CatalogEngine
import SQLiteBinding

// The long lists, what changed, and the runs.

extension SQLiteMovieStore {
  public func generation(
    of list: CatalogList, upstream: UpstreamID
  ) async throws(StoreError) -> ListGeneration? {
    try database.readOne { connection throws(StoreError) in
      try connection.generation(of: list, upstream: upstream)
    }
  }

  public func beginGeneration(
    of list: CatalogList, upstream: UpstreamID, at instant: Timestamp
  ) async throws(StoreError) -> ListGeneration {
    try await database.write { connection throws(StoreError) in
      try connection.beginGeneration(of: list, upstream: upstream, at: instant)
    }
  }

  public func changes(
    _ query: ChangeQuery, upstream: UpstreamID
  ) async throws(StoreError) -> [CatalogChange] {
    try database.readOne { connection throws(StoreError) in
      try connection.changes(query, upstream: upstream)
    }
  }

  public func movies(
    _ query: ListingQuery, upstream: UpstreamID
  ) async throws(StoreError) -> Listing<KnownMovie> {
    try database.read { connection throws(StoreError) in try connection.knownMovies(query, upstream: upstream)
    }
  }

  public func people(
    _ query: ListingQuery, upstream: UpstreamID
  ) async throws(StoreError) -> Listing<KnownPerson> {
    try database.read { connection throws(StoreError) in try connection.knownPeople(query, upstream: upstream)
    }
  }

  public func companies(
    _ query: ListingQuery, upstream: UpstreamID
  ) async throws(StoreError) -> Listing<KnownCompany> {
    try database.read { connection throws(StoreError) in
      try connection.knownCompanies(query, upstream: upstream)
    }
  }

  public func runs(limit: Int) async throws(StoreError) -> [StoreSummary.Run] {
    try database.readOne { connection throws(StoreError) in try connection.runs(limit: limit) }
  }
}
