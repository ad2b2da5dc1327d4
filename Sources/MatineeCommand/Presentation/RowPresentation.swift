/// Something that is printed as a table for people, and as JSON or CSV for programs.
protocol RowPresentation {
  /// Lines no wider than `width`, unless what must stay is.
  func table(width: Int, style: Style) -> String
  /// One JSON object, with its line's end.
  func json() -> String
  /// Records by RFC 4180 under a header.
  func csv() -> String
}
