package import CatalogEngine

extension KOBISError {
  /// The failure that an engine is told of.
  ///
  /// - Parameters:
  ///   - subject: What was asked for.
  ///   - key: The key it was asked with, which is cut out of KOBIS's own words should they repeat it.
  package func failure(of subject: ResourceID.Subject, hiding key: APIKey?) -> CatalogFailure {
    var message = "KOBIS, asked for the \(subject.kind.rawValue) \(subject.key): \(sentence)"
    if let key { message = key.hidden(in: message) }
    let detail = fault.map { key?.hidden(in: $0.number) ?? $0.number } ?? code.rawValue
    return CatalogFailure(failureCode, message, detail: detail)
  }

  private var sentence: String {
    guard let path else { return detail }
    return "\(path): \(detail)"
  }

  private var failureCode: CatalogFailure.Code {
    switch code {
    case .fault:
      switch fault?.number {
      case KOBISFault.keyRefused: .keyRefused
      case KOBISFault.quotaSpent: .quota
      default: .fault
      }
    // KOBIS's way of saying no: the answer is whole, and there is nothing in it.
    case .unknownMovie, .unknownPerson, .unknownCompany: .fault
    case .wrongPeriod, .wrongMovie, .wrongPerson, .wrongCompany, .wrongCodes: .implausible
    case .repeatedMovie, .repeatedPosition, .repeatedRow: .implausible
    case .keyMissing: .keyMissing
    default: .undecodable
    }
  }
}
