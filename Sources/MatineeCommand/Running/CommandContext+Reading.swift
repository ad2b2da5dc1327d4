import CatalogEngine

extension CommandContext {
  /// Prints data in the format that was asked for.
  func print(_ presentation: some RowPresentation, as format: RowFormat) throws(OutputError) {
    switch format {
    case .table: try print(presentation.table(width: columnCount, style: style))
    case .json: try print(presentation.json())
    case .csv: try print(presentation.csv())
    }
  }

  /// Says what has to be known of an answer before it is trusted.
  func warn(of reading: Reading<some CatalogContent>) {
    for warning in ReadingProvenance(reading).warnings { errors.notice(warning) }
  }

  /// Reads one resource and prints it.
  ///
  /// - Throws: What the read throws: where there is no answer, nothing is printed.
  func show<Value>(
    _ resource: Resource<Value>, settings: Settings, policy: ReadPolicy = .cacheFirst,
    maxAge: Duration? = nil, format: RowFormat, as presentation: (Reading<Value>) -> some RowPresentation
  ) async throws -> ExitStatus {
    try await withCatalog(settings, policy: policy) { catalog in
      let reading = try await catalog.read(resource, policy: policy, maxAge: maxAge)
      try print(presentation(reading), as: format)
      warn(of: reading)
      // A refresh that was begun behind the answer is what makes the next one fresh.
      await catalog.waitForRefreshes()
      return .done
    }
  }
}
