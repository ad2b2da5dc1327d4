/// Matching of a path's components against a pattern with wildcards.
enum PathPattern {
  static func matches(_ components: ArraySlice<Substring>, _ pattern: ArraySlice<Substring>) -> Bool {
    guard let first = pattern.first else { return components.isEmpty }
    let rest = pattern.dropFirst()
    if first == "**" {
      return (components.startIndex...components.endIndex).contains {
        matches(components[$0...], rest)
      }
    }
    guard let component = components.first, first == "*" || first == component else { return false }
    return matches(components.dropFirst(), rest)
  }
}
