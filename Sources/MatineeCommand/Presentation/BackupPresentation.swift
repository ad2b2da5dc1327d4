import Matinee

/// A backup as the command prints it.
struct BackupPresentation {
  let database: String
  let backup: StoreBackup

  /// The backup as one JSON object.
  func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("database", database)
      json.member("file", backup.path)
      json.member("byteCount", backup.byteCount)
      json.member("schemaVersion", backup.schemaVersion)
      json.member("tables", each: backup.tables) { json, table in
        json.object { json in
          json.member("name", table.name)
          json.member("rows", table.rowCount)
        }
      }
    }
    return json.text + "\n"
  }

  /// The backup as a line, and a table of its tables.
  func table(width: Int, style: Style) -> String {
    var table = Table([.init("Table", .left), .init("Rows")])
    for row in backup.tables { table.append([.init(row.name), .init(row.rowCount.grouped)]) }
    let size = "\(backup.byteCount.byteCountShown), schema \(backup.schemaVersion), checked"
    let head = style.drawn("Backup", as: .heading) + " \(backup.path.neutralized) (\(size))"
    return ([head, "of \(database.neutralized)", ""] + table.lines(width: width, style: style))
      .joined(separator: "\n") + "\n"
  }
}
