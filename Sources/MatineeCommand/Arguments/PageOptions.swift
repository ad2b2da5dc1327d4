import ArgumentParser
import CatalogEngine

/// Which page of a listing is printed.
struct PageOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Which page, from 1.", valueName: "n"))
  var page = 1

  @Option(help: ArgumentHelp("The rows of a page, 1 to 1000.", valueName: "n"))
  var pageSize = 100

  /// The most rows of a page.
  static let pageSizeMax = 1000
  /// The last page that can be named: further than any list goes.
  static let pageMax = 1_000_000

  func validate() throws {
    guard (1...Self.pageMax).contains(page) else {
      throw ValidationError("--page must be 1 to \(Self.pageMax), not \(page)")
    }
    guard (1...Self.pageSizeMax).contains(pageSize) else {
      throw ValidationError("--page-size must be 1 to \(Self.pageSizeMax), not \(pageSize)")
    }
  }

  /// How many rows come before the page.
  var offset: Int { (page - 1) * pageSize }

  /// The place of the page among all pages of so many rows.
  func place(ofRows totalCount: Int) -> PagePlace {
    PagePlace(
      page: page, size: pageSize, count: (totalCount + pageSize - 1) / pageSize, totalCount: totalCount)
  }
}

/// Where a page stands in its listing.
struct PagePlace: Hashable {
  var page: Int
  var size: Int
  /// How many pages there are; 0 if there are no rows.
  var count: Int
  /// How many rows there are on all pages.
  var totalCount: Int

  /// What is to be said of a page that comes after the last one.
  var warning: String? {
    guard count > 0, page > count else { return nil }
    return "there is no page \(page): the last one is \(count)"
  }
}

extension JSONWriter {
  /// Writes what a program needs in order to go on, as members of the object that is open.
  mutating func members(of place: PagePlace) {
    member("total", place.totalCount)
    member("page", place.page)
    member("pageSize", place.size)
    member("pageCount", place.count)
  }
}
