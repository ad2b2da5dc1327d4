import CatalogEngine
import SQLiteMovieStore
import Testing

@Suite struct `Any movie store, of what changed` {
  @Test(arguments: StoreKind.allCases)
  func `tells what appeared, and what of it was corrected`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      _ = try await store.commit(answer(.movieDetails(details), at: .hours(1)), in: nil)
      _ = try await store.commit(answer(.codes(areas), at: .hours(2)), in: nil)
      _ = try await store.commit(answer(.boxOffice(chart(daily)), at: .hours(3)), in: nil)
      let second = chart(daily, movies: ["2023C165", "20199882", "new"])
      let revised = try await store.commit(answer(.boxOffice(second), at: .hours(4)), in: nil)

      let changes = try await store.changes(ChangeQuery(), upstream: kobis)
      #expect(changes.map(\.id) == changes.map(\.id).sorted())
      #expect(Set(changes.map(\.id)).count == changes.count)
      #expect(
        changes.prefix(3).map(\.difference) == [
          .init(.appeared), .init(.appeared, itemName: details.title), .init(.appeared),
        ])
      #expect(
        changes.prefix(3).map(\.resource) == [dailyID, id(.movieDetails(details.code)), id(.codes(.areas))])
      #expect(changes.prefix(3).map(\.at) == [noon, .hours(1), .hours(2)])
      let corrections = changes.dropFirst(3)
      #expect(
        corrections.map(\.difference)
          == CatalogValue.boxOffice(second).differences(from: .boxOffice(chart(daily))))
      #expect(corrections.contains { $0.difference.kind == .moved && $0.difference.positionBefore == 2 })
      #expect(corrections.allSatisfy { $0.resource == dailyID && $0.at == .hours(4) })
      #expect(corrections.allSatisfy { $0.revision == revised.entry.record.revision })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `gives what is asked for: since, after, of a kind, so many`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for hour in 0..<5 {
        let value = CatalogValue.boxOffice(chart(.daily(day(20_220_101 + hour))))
        _ = try await store.commit(answer(value, at: .hours(hour)), in: nil)
      }
      _ = try await store.commit(
        answer(.boxOffice(chart(.daily(day(20_220_101)), movies: ["20199882"])), at: .hours(9)), in: nil)
      let all = try await store.changes(ChangeQuery(), upstream: kobis)
      #expect(all.count == 7)
      #expect(
        try await store.changes(ChangeQuery(since: .hours(4)), upstream: kobis) == Array(all.dropFirst(4)))
      #expect(try await store.changes(ChangeQuery(limit: 2), upstream: kobis) == Array(all.prefix(2)))
      #expect(
        try await store.changes(ChangeQuery(after: all[1].id, limit: 3), upstream: kobis) == Array(all[2..<5])
      )
      #expect(
        try await store.changes(ChangeQuery(kinds: [.vanished]), upstream: kobis) == Array(all.suffix(2)))
      #expect(try await store.changes(ChangeQuery(kinds: [.moved, .corrected]), upstream: kobis).isEmpty)
      #expect(try await store.changes(ChangeQuery(), upstream: UpstreamID("other")).isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `says nothing of what was kept, or failed, or is nothing`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let empty = CatalogValue.boxOffice(BoxOffice(period: daily, entries: []))
      _ = try await store.commit(answer(empty), in: nil)
      #expect(try await store.changes(ChangeQuery(), upstream: kobis).isEmpty)
      _ = try await store.commit(answer(.boxOffice(chart(daily))), in: nil)
      _ = try await store.commit(answer(empty), in: nil)
      _ = try await store.commit(answer(.boxOffice(chart(daily, audience: 1)), from: .recorded), in: nil)
      try await store.recordFailure(
        CatalogFailure(.timeout, "late", at: noon), for: dailyID, at: noon, in: nil)
      let changes = try await store.changes(ChangeQuery(), upstream: kobis)
      #expect(changes.map(\.difference) == [.init(.appeared)])
      #expect(changes.map(\.revision) == [2])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `takes live data in the place of a sample for a correction`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.commit(answer(.boxOffice(chart(daily, audience: 1)), from: .recorded), in: nil)
      _ = try await store.commit(answer(.boxOffice(chart(daily, audience: 2))), in: nil)
      let changes = try await store.changes(ChangeQuery(kinds: [.corrected]), upstream: kobis)
      #expect(changes.map(\.difference.itemCode) == ["20199882", "2023C165", "20210028"])
      #expect(changes.allSatisfy { $0.difference.fields == ["audience"] })
    }
  }
}
