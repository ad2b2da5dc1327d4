public import CatalogEngine

extension MovieDetails {
  /// Invented details of `code`, the same at every call; those of the row's movie if the code stands in a sample of
  /// a chart.
  public static func sample(code: MovieCode) -> MovieDetails {
    let catalog = SimulatedCatalog(seed: BoxOffice.sampleSeed)
    if let movie = catalog.boxOffice.movie(code) { return catalog.details(of: movie) }
    return MovieDetails(
      code: code, title: "영화 \(code)", titleEnglish: "Movie \(code)", runningMinutes: 120, status: "개봉",
      type: "장편", nations: ["한국"], genres: ["드라마"],
      directors: [Person(name: "김하늘", nameEnglish: "KIM Ha-neul")],
      actors: [Actor(name: "이바다", nameEnglish: "LEE Ba-da", role: "주인공")],
      audits: [Audit(grade: "전체관람가")])
  }
}
