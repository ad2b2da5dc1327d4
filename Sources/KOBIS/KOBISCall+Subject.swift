package import CatalogEngine

extension KOBISCall {
  /// The call that asks for `subject`.
  package init(for subject: ResourceID.Subject) {
    switch subject {
    case .boxOffice(let period): self = .chart(of: period)
    case .movieDetails(let code): self.init(.movieInfo, [Parameter("movieCd", code.text)])
    }
  }
}
