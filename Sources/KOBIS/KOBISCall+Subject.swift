package import CatalogEngine

extension KOBISCall {
  /// The call that asks for `subject`.
  package init(for subject: ResourceID.Subject) {
    switch subject {
    case .boxOffice(let period, let filter): self = .chart(of: period, filter: filter)
    case .movieDetails(let code): self.init(.movieInfo, [Parameter("movieCd", code.text)])
    case .personDetails(let code): self.init(.peopleInfo, [Parameter("peopleCd", code.text)])
    case .companyDetails(let code): self.init(.companyInfo, [Parameter("companyCd", code.text)])
    case .codes(let list): self.init(.codeList, [Parameter("comCode", list.kobisCode)])
    case .page(let list, let number):
      self.init(
        list.service,
        [
          Parameter("curPage", String(number)),
          Parameter("itemPerPage", String(CatalogList.pageRowCount)),
        ])
    }
  }
}

extension CodeList {
  /// The list's own code (KOBIS `comCode`).
  package var kobisCode: String {
    switch self {
    case .areas: "0105000000"
    case .nations: "2204"
    case .filmTypes: "2201"
    }
  }
}

extension CatalogList {
  /// The service that answers the list's pages.
  fileprivate var service: KOBISCall.Service {
    switch self {
    case .movies: .movieList
    case .companies: .companyList
    case .people: .peopleList
    }
  }
}
