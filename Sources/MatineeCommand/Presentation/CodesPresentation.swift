import CatalogEngine

/// A page of one of the upstream's lists of codes.
struct CodesPresentation: RowPresentation {
  let reading: Reading<CodeTable>
  let options: PageOptions

  /// The names of a record's fields, in order.
  static let names = ["code", "name", "nameEnglish"]

  var place: PagePlace { options.place(ofRows: reading.value.entries.count) }

  private var entries: [CodeTable.Entry] {
    Array(reading.value.entries.dropFirst(options.offset).prefix(options.pageSize))
  }

  func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("list", ListArgument.codes.rawValue)
      json.member("of", reading.value.list.rawValue)
      json.members(of: place)
      json.member("rows", each: entries) { json, entry in
        json.object { json in
          json.member("code", entry.code)
          json.member("name", entry.name)
          json.member("nameEnglish", entry.nameEnglish)
        }
      }
      json.member("resource", reading.resource.description)
      json.members(of: ReadingProvenance(reading))
    }
    return json.text + "\n"
  }

  func csv() -> String {
    var csv = CSVWriter(header: Self.names)
    for entry in entries { csv.append([entry.code, entry.name, entry.nameEnglish]) }
    return csv.text
  }

  func table(width: Int, style: Style) -> String {
    let name = "Codes of \(reading.value.list.rawValue.replacing("-", with: " "))"
    var lines = [
      place.heading(name, style: style), ReadingProvenance(reading).summary(style: style),
    ]
    if !entries.isEmpty {
      var table = Table([.init("Code", .left), .init("Name", .left), .init("In English", .left)])
      for entry in entries {
        table.append([.init(entry.code), .init(entry.name), .init(entry.nameEnglish ?? "–")])
      }
      lines += [""] + table.lines(width: width, style: style)
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
