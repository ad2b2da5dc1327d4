package import CatalogEngine

/// The answer of the movie details service.
package struct MovieInfoAnswer: Sendable {
  /// The most rows each list of the details may have; the longest seen has 780.
  package static let rowCountMax = 20_000

  /// The details.
  package let details: MovieDetails

  /// Reads the details of the movie `code` from an answer's body.
  ///
  /// - Throws: ``KOBISError``; `unknownMovie` if neither code nor title is in the answer, `wrongMovie` if the details
  ///   are another movie's.
  package init(_ body: [UInt8], for code: MovieCode) throws(KOBISError) {
    details = try Answer.result(of: body, named: "movieInfoResult") { reader throws(KOBISError) in
      try Self.details(&reader, of: code)
    }
  }

  private enum Field: UInt8, JSONField {
    case movieInfo

    var name: StaticString { "movieInfo" }
  }

  private static func details(
    _ reader: inout JSONReader, of code: MovieCode
  ) throws(KOBISError) -> MovieDetails {
    var record: MovieRecord?
    var walk = try FieldWalk<Field>(&reader)
    while let field = try walk.next(&reader) {
      if try reader.skipNull() { continue }
      do throws(KOBISError) { record = try MovieRecord(&reader) } catch {
        throw error.within("\(field.name)")
      }
    }
    try walk.require([.movieInfo])
    do throws(KOBISError) {
      return try (record ?? MovieRecord()).details(of: code)
    } catch {
      throw error.within("movieInfo")
    }
  }
}
