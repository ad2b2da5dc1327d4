import CatalogEngine

extension KnownMovie: ListedRow {
  static let list = ListArgument.movies

  static let names = [
    "code", "title", "titleEnglish", "productionYear", "openedOn", "status", "type", "nations", "genres",
    "mainNation", "mainGenre", "directors", "companies", "hasDetails", "goneAt",
  ]

  static let columns: [Table.Column] = [
    .init("Code", .left), .init("Title", .left, widthMin: 20), .init("Opened", .left, priority: 1),
    .init("Made", priority: 2),
    .init("Directors", .left, priority: 3, widthMin: 8), .init("Genres", .left, priority: 4, widthMin: 8),
    .init("Nations", .left, priority: 5, widthMin: 6), .init("Status", .left, priority: 6),
    .init("Details", .left, priority: 7),
  ]

  var cells: [Table.Cell] {
    [
      .init(movie.code.text), .init(movie.title, goneAt == nil ? .plain : .faint),
      .init(movie.openedOn?.description ?? "–"), .init(movie.productionYear.map(String.init) ?? "–"),
      .init(movie.directors.joined(separator: ", ")), .init(movie.genres ?? "–"), .init(movie.nations ?? "–"),
      goneAt == nil ? .init(movie.status ?? "–") : .init("gone", .warning),
      .init(hasDetails ? "stored" : "–"),
    ]
  }

  /// A record's fields; lists are parted by commas, as the upstream parts them.
  var fields: [String?] {
    [
      movie.code.text, movie.title, movie.titleEnglish, movie.productionYear.map(String.init),
      movie.openedOn?.description, movie.status, movie.type, movie.nations, movie.genres, movie.mainNation,
      movie.mainGenre, movie.directors.isEmpty ? nil : movie.directors.joined(separator: ","),
      movie.companies.isEmpty ? nil : movie.companies.map(\.name).joined(separator: ","),
      hasDetails ? "true" : "false", goneAt?.description,
    ]
  }

  /// What the upstream parts by commas; no nation's or genre's name holds one.
  private static func parts(of text: String?) -> [String] {
    (text ?? "").split(separator: ",").map { part in
      var part = part.drop { $0 == " " }
      while part.last == " " { part.removeLast() }
      return String(part)
    }
  }

  func write(to json: inout JSONWriter) {
    json.member("code", movie.code.text)
    json.member("title", movie.title)
    json.member("titleEnglish", movie.titleEnglish)
    json.member("productionYear", movie.productionYear)
    json.member("openedOn", movie.openedOn?.description)
    json.member("status", movie.status)
    json.member("type", movie.type)
    json.member("nations", each: Self.parts(of: movie.nations)) { $0.value($1) }
    json.member("genres", each: Self.parts(of: movie.genres)) { $0.value($1) }
    json.member("mainNation", movie.mainNation)
    json.member("mainGenre", movie.mainGenre)
    json.member("directors", each: movie.directors) { $0.value($1) }
    json.member("companies", each: movie.companies) { json, company in
      json.object { json in
        json.member("code", company.code?.text)
        json.member("name", company.name)
      }
    }
    json.member("hasDetails", hasDetails)
    json.member("goneAt", goneAt?.description)
  }
}

extension KnownPerson: ListedRow {
  static let list = ListArgument.people

  static let names = ["code", "name", "nameEnglish", "role", "filmographyText", "goneAt"]

  static let columns: [Table.Column] = [
    .init("Code", .left), .init("Name", .left), .init("", .left, priority: 3), .init("Role", .left),
    .init("Movies", .left, priority: 1, widthMin: 20), .init("", .left, priority: 2),
  ]

  var cells: [Table.Cell] {
    [
      .init(person.code.text), .init(person.name, goneAt == nil ? .plain : .faint),
      .init(person.nameEnglish ?? "", .faint), .init(person.role ?? "–"),
      .init(person.filmography?.replacing("|", with: ", ") ?? "–"),
      goneAt == nil ? "" : .init("gone", .warning),
    ]
  }

  var fields: [String?] {
    [
      person.code.text, person.name, person.nameEnglish, person.role, person.filmography, goneAt?.description,
    ]
  }

  func write(to json: inout JSONWriter) {
    json.member("code", person.code.text)
    json.member("name", person.name)
    json.member("nameEnglish", person.nameEnglish)
    json.member("role", person.role)
    json.member("filmographyText", person.filmography)
    json.member("goneAt", goneAt?.description)
  }
}

extension KnownCompany: ListedRow {
  static let list = ListArgument.companies

  static let names = ["code", "name", "nameEnglish", "chief", "parts", "filmographyText", "goneAt"]

  static let columns: [Table.Column] = [
    .init("Code", .left), .init("Name", .left, widthMin: 16), .init("", .left, priority: 3, widthMin: 10),
    .init("Chief", .left, priority: 4), .init("Parts", .left, priority: 1, widthMin: 8),
    .init("Movies", .left, priority: 2, widthMin: 20), .init("", .left, priority: 5),
  ]

  var cells: [Table.Cell] {
    [
      .init(company.code.text), .init(company.name, goneAt == nil ? .plain : .faint),
      .init(company.nameEnglish ?? "", .faint), .init(company.chief ?? "–"), .init(company.parts ?? "–"),
      .init(company.filmography ?? "–"), goneAt == nil ? "" : .init("gone", .warning),
    ]
  }

  var fields: [String?] {
    [
      company.code.text, company.name, company.nameEnglish, company.chief, company.parts, company.filmography,
      goneAt?.description,
    ]
  }

  func write(to json: inout JSONWriter) {
    json.member("code", company.code.text)
    json.member("name", company.name)
    json.member("nameEnglish", company.nameEnglish)
    json.member("chief", company.chief)
    json.member("parts", company.parts)
    json.member("filmographyText", company.filmography)
    json.member("goneAt", goneAt?.description)
  }
}
