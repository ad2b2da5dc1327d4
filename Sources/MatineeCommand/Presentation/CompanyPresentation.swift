import CatalogEngine

/// A company as the command prints it.
struct CompanyPresentation: RowPresentation {
  let reading: Reading<CompanyDetails>

  private var company: CompanyDetails { reading.value }
  private var filmography: Filmography { Filmography(credits: company.filmography) }

  /// The details under the model's names, the filmography, and where they come from.
  func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("resource", reading.resource.description)
      json.member("code", company.code.text)
      json.member("name", company.name)
      json.member("nameEnglish", company.nameEnglish)
      json.member("chief", company.chief)
      json.member("parts", each: company.parts) { $0.value($1) }
      json.member("filmography", filmography)
      json.members(of: ReadingProvenance(reading))
    }
    return json.text + "\n"
  }

  func csv() -> String { filmography.csv() }

  func table(width: Int, style: Style) -> String {
    let facts = FactLines([
      ("Code", company.code.text), ("Chief", company.chief), ("Parts", FactLines.list(company.parts)),
      ("Movies", Set(company.filmography.map(\.movieCode)).count.grouped),
    ])
    var lines = [
      FactLines.heading(company.name, company.nameEnglish, style: style),
      ReadingProvenance(reading).summary(style: style), "",
    ]
    lines += facts.lines(width: width, style: style) + [""]
    lines += filmography.lines(width: width, style: style)
    return lines.joined(separator: "\n") + "\n"
  }
}
