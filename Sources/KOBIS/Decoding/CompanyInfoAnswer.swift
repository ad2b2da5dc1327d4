package import CatalogEngine

/// The answer of the company details service.
package struct CompanyInfoAnswer: Sendable {
  /// The details.
  package let details: CompanyDetails

  /// Reads the details of the company `code` from an answer's body.
  ///
  /// - Throws: ``KOBISError``; `unknownCompany` if neither code nor name is in the answer, `wrongCompany` if the
  ///   details are another company's.
  package init(_ body: [UInt8], for code: CompanyCode) throws(KOBISError) {
    details = try CompanyRecord.details(in: body, of: code)
  }
}
