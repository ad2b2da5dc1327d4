package import CatalogEngine

extension KOBISCall {
  /// The call that asks for `subject`.
  package init(for subject: ResourceID.Subject) {
    switch subject {
    case .boxOffice(let period):
      // KOBIS answers the week or weekend that holds `targetDt`. The period's first day lies in both.
      let day = Parameter("targetDt", period.day.basicFormat)
      switch period.kind {
      case .daily: self.init(.dailyBoxOffice, [day])
      case .weekly: self.init(.weeklyBoxOffice, [day, Parameter("weekGb", "0")])
      case .weekend: self.init(.weeklyBoxOffice, [day, Parameter("weekGb", "1")])
      }
    case .movieDetails(let code):
      self.init(.movieInfo, [Parameter("movieCd", code.text)])
    }
  }
}
