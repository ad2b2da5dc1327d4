import CatalogEngine

/// The movies that a person or a company took part in, once for each part.
struct Filmography {
  let credits: [FilmCredit]

  /// The movies, each once.
  var movieCount: Int { Set(credits.map(\.movieCode)).count }

  /// The names of a credit's members, in order.
  static let names = ["movieCode", "title", "part"]

  func csv() -> String {
    var csv = CSVWriter(header: Self.names)
    for credit in credits { csv.append([credit.movieCode.text, credit.title, credit.part]) }
    return csv.text
  }

  /// The movies as a table, in the order in which the upstream gave them.
  func lines(width: Int, style: Style) -> [String] {
    guard !credits.isEmpty else { return ["The upstream names no movies."] }
    var table = Table([.init("Code", .left), .init("Title", .left, widthMin: 20), .init("Part", .left)])
    for credit in credits {
      table.append([.init(credit.movieCode.text), .init(credit.title), .init(credit.part ?? "–")])
    }
    return table.lines(width: width, style: style)
  }
}

extension JSONWriter {
  /// Writes a filmography as a member of the object that is open.
  mutating func member(_ name: String, _ filmography: Filmography) {
    member(name, each: filmography.credits) { json, credit in
      json.object { json in
        json.member("movieCode", credit.movieCode.text)
        json.member("title", credit.title)
        json.member("part", credit.part)
      }
    }
  }
}
