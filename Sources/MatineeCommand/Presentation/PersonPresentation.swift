import CatalogEngine

/// A person as the command prints it.
struct PersonPresentation: RowPresentation {
  let reading: Reading<PersonDetails>

  private var person: PersonDetails { reading.value }
  private var filmography: Filmography { Filmography(credits: person.filmography) }

  /// The details under the model's names, the filmography, and where they come from.
  func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("resource", reading.resource.description)
      json.member("code", person.code.text)
      json.member("name", person.name)
      json.member("nameEnglish", person.nameEnglish)
      json.member("sex", person.sex)
      json.member("role", person.role)
      json.member("homepages", each: person.homepages) { $0.value($1) }
      json.member("filmography", filmography)
      json.members(of: ReadingProvenance(reading))
    }
    return json.text + "\n"
  }

  func csv() -> String { filmography.csv() }

  func table(width: Int, style: Style) -> String {
    let facts = FactLines([
      ("Code", person.code.text), ("Role", person.role), ("Sex", person.sex),
      ("On the web", FactLines.list(person.homepages)),
      ("Movies", Set(person.filmography.map(\.movieCode)).count.grouped),
    ])
    var lines = [
      FactLines.heading(person.name, person.nameEnglish, style: style),
      ReadingProvenance(reading).summary(style: style), "",
    ]
    lines += facts.lines(width: width, style: style) + [""]
    lines += filmography.lines(width: width, style: style)
    return lines.joined(separator: "\n") + "\n"
  }
}
