package import CatalogEngine

/// The answer of the people details service.
package struct PeopleInfoAnswer: Sendable {
  /// The details.
  package let details: PersonDetails

  /// Reads the details of the person `code` from an answer's body.
  ///
  /// - Throws: ``KOBISError``; `unknownPerson` if neither code nor name is in the answer, `wrongPerson` if the details
  ///   are another person's.
  package init(_ body: [UInt8], for code: PersonCode) throws(KOBISError) {
    details = try PersonRecord.details(in: body, of: code)
  }
}
