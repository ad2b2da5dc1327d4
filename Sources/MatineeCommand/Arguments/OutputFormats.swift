import ArgumentParser

/// How rows are printed.
enum RowFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json, csv
}

/// How what is no row is printed.
enum StateFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json
}

/// How a sync tells what it does.
enum SyncFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json, ndjson
}

/// How changes are printed: one by one, too, for whoever follows them.
enum ChangeFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json, ndjson, csv
}
