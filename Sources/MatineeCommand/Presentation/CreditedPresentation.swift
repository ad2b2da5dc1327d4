import CatalogEngine

/// A person or a company as the command prints them: both have names, a few facts and a filmography.
struct CreditedPresentation: RowPresentation {
  /// What is said of the one and not of the other: by the model's name in JSON, under a label in tables.
  private struct Fact {
    enum Content {
      case text(String?)
      case list([String])
    }

    var name: String
    var label: String
    var content: Content

    var shown: String? {
      switch content {
      case .text(let text): text
      case .list(let texts): FactLines.list(texts)
      }
    }
  }

  private let provenance: ReadingProvenance
  private let code: String
  private let name: String
  private let nameEnglish: String?
  private let facts: [Fact]
  private let filmography: Filmography

  init(_ reading: Reading<PersonDetails>) {
    let person = reading.value
    provenance = ReadingProvenance(reading)
    (code, name, nameEnglish) = (person.code.text, person.name, person.nameEnglish)
    facts = [
      Fact(name: "sex", label: "Sex", content: .text(person.sex)),
      Fact(name: "role", label: "Role", content: .text(person.role)),
      Fact(name: "homepages", label: "On the web", content: .list(person.homepages)),
    ]
    filmography = Filmography(credits: person.filmography)
  }

  init(_ reading: Reading<CompanyDetails>) {
    let company = reading.value
    provenance = ReadingProvenance(reading)
    (code, name, nameEnglish) = (company.code.text, company.name, company.nameEnglish)
    facts = [
      Fact(name: "chief", label: "Chief", content: .text(company.chief)),
      Fact(name: "parts", label: "Parts", content: .list(company.parts)),
    ]
    filmography = Filmography(credits: company.filmography)
  }

  func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("resource", provenance.resource.description)
      json.member("code", code)
      json.member("name", name)
      json.member("nameEnglish", nameEnglish)
      for fact in facts {
        switch fact.content {
        case .text(let text): json.member(fact.name, text)
        case .list(let texts): json.member(fact.name, each: texts) { $0.value($1) }
        }
      }
      json.member("filmography", filmography)
      json.members(of: provenance)
    }
    return json.text + "\n"
  }

  func csv() -> String { filmography.csv() }

  func table(width: Int, style: Style) -> String {
    var head = FactLines([("Code", code)])
    head.facts += facts.map { ($0.label, $0.shown) }
    head.facts.append(("Movies", filmography.movieCount.grouped))
    var lines = [FactLines.heading(name, nameEnglish, style: style), provenance.summary(style: style), ""]
    lines += head.lines(width: width, style: style) + [""]
    lines += filmography.lines(width: width, style: style)
    return lines.joined(separator: "\n") + "\n"
  }
}
