package import HTTPTypes

/// A call of a KOBIS service: the service and its parameters, without the key and the host.
package struct KOBISCall: Hashable, Sendable {
  /// The services.
  package enum Service: String, CaseIterable, Sendable {
    /// The chart of a day.
    case dailyBoxOffice = "/boxoffice/searchDailyBoxOfficeList.json"
    /// The chart of a week or weekend.
    case weeklyBoxOffice = "/boxoffice/searchWeeklyBoxOfficeList.json"
    /// A list of codes.
    case codeList = "/code/searchCodeList.json"
    /// A page of the list of movies.
    case movieList = "/movie/searchMovieList.json"
    /// The details of a movie.
    case movieInfo = "/movie/searchMovieInfo.json"
    /// A page of the list of companies.
    case companyList = "/company/searchCompanyList.json"
    /// The details of a company.
    case companyInfo = "/company/searchCompanyInfo.json"
    /// A page of the list of people.
    case peopleList = "/people/searchPeopleList.json"
    /// The details of a person.
    case peopleInfo = "/people/searchPeopleInfo.json"

    /// The path below the base.
    package var path: String { rawValue }
  }

  /// A parameter: an item of the query.
  package struct Parameter: Hashable, Sendable {
    /// The name, as `targetDt`.
    package let name: String
    /// The value, as `20220105`.
    package let value: String

    /// Makes a parameter.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The service that is called.
  package let service: Service

  /// The parameters in the order of the query.
  package let parameters: [Parameter]

  /// Makes a call.
  package init(_ service: Service, _ parameters: [Parameter]) {
    self.service = service
    self.parameters = parameters
  }

  /// The parameter's value; `nil` if the call does not have it.
  package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The request of the call under `base`, with `key` if there is one.
  package func request(under base: KOBISBase, key: APIKey?) -> HTTPRequest {
    let items = (key.map { [Parameter("key", $0.secret)] } ?? []) + parameters
    let query = items.map { "\($0.name)=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
    var request = HTTPRequest(
      method: .get, scheme: base.scheme, authority: base.authority,
      path: base.path + service.path + (query.isEmpty ? "" : "?" + query))
    request.headerFields[.accept] = "application/json"
    return request
  }

  /// Reads a call from a request's path and query, `key` among the parameters; `nil` if it calls no service.
  package init?(_ request: HTTPRequest) {
    guard let path = request.path else { return nil }
    let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let service = Service.allCases.first(where: { parts[0].hasSuffix($0.path) }) else { return nil }
    let query = parts.count > 1 ? parts[1] : ""
    self.init(
      service,
      query.split(separator: "&").map { item in
        let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return Parameter(
          PercentEncoding.decoded(sides[0]), sides.count > 1 ? PercentEncoding.decoded(sides[1]) : "")
      })
  }
}
