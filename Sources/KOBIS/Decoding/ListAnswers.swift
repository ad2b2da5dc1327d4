package import CatalogEngine

/// The answer of the movie list service.
package struct MovieListAnswer: Sendable {
  /// The page.
  package let page: CatalogPage<ListedMovie>

  /// Reads the page `number` from an answer's body.
  ///
  /// - Throws: ``KOBISError``; `tooManyRows` if the page has more rows than were asked for, `repeatedRow` if a code
  ///   stands in two rows.
  package init(_ body: [UInt8], number: Int) throws(KOBISError) {
    page = try MovieListRecord.page(in: body, number: number)
  }
}

/// The answer of the company list service.
package struct CompanyListAnswer: Sendable {
  /// The page.
  package let page: CatalogPage<ListedCompany>

  /// Reads the page `number` from an answer's body, as ``MovieListAnswer`` does.
  package init(_ body: [UInt8], number: Int) throws(KOBISError) {
    page = try CompanyListRecord.page(in: body, number: number)
  }
}

/// The answer of the people list service.
package struct PeopleListAnswer: Sendable {
  /// The page.
  package let page: CatalogPage<ListedPerson>

  /// Reads the page `number` from an answer's body, as ``MovieListAnswer`` does.
  package init(_ body: [UInt8], number: Int) throws(KOBISError) {
    page = try PeopleListRecord.page(in: body, number: number)
  }
}
