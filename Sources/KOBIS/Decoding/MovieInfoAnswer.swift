package import CatalogEngine

/// The answer of the movie details service.
package struct MovieInfoAnswer: Sendable {
  /// The details.
  package let details: MovieDetails

  /// Reads the details of the movie `code` from an answer's body.
  ///
  /// - Throws: ``KOBISError``; `unknownMovie` if neither code nor title is in the answer, `wrongMovie` if the details
  ///   are another movie's.
  package init(_ body: [UInt8], for code: MovieCode) throws(KOBISError) {
    details = try MovieRecord.details(in: body, of: code)
  }
}
