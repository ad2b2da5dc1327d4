/// Finds the name that a mistyped one was most likely meant to be.
enum NearestName {
  /// The most characters of a name that are compared: no name there is comes near to it.
  static let characterCountMax = 100

  /// The one of `names` that is nearest to `name`; of several, the first. `nil` only if there are none.
  ///
  /// A name is as near as its spelling, or that of its last part: `callsPerDay` is near to `quota.callsPerDay`. Upper
  /// and lower case, and what parts words, make no difference.
  static func nearest(to name: String, in names: [String]) -> String? {
    var nearest: (name: String, distance: Double)?
    for candidate in names {
      // The whole counts before the part, which leaves something out.
      let distance = min(
        distance(name, candidate), distance(lastPart(of: name), lastPart(of: candidate)) + partPenalty)
      if distance < nearest?.distance ?? .infinity { nearest = (candidate, distance) }
    }
    return nearest?.name
  }

  private static let partPenalty = 0.01

  /// How much of the longer of two names has to be changed to make the other: 0 for nothing, 1 for all of it.
  private static func distance(_ one: some StringProtocol, _ other: some StringProtocol) -> Double {
    let (one, other) = (folded(one), folded(other))
    return Double(editCount(one, other)) / Double(max(one.count, other.count, 1))
  }

  private static func lastPart(of name: String) -> Substring {
    name.split(separator: ".", omittingEmptySubsequences: false).last ?? name[...]
  }

  private static func folded(_ name: some StringProtocol) -> [Character] {
    Array(name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }.prefix(characterCountMax))
  }

  /// How many characters have to be put in, left out, replaced or swapped with their neighbour to make one of the
  /// other (the restricted distance of Damerau and Levenshtein).
  static func editCount(_ one: [Character], _ other: [Character]) -> Int {
    var before: [Int] = []
    var previous = Array(0...other.count)
    for (row, character) in one.enumerated() {
      var current = [row + 1]
      for (column, counterpart) in other.enumerated() {
        var count = min(
          previous[column + 1] + 1, current[column] + 1, previous[column] + (character == counterpart ? 0 : 1)
        )
        if row > 0, column > 0, character == other[column - 1], one[row - 1] == counterpart {
          count = min(count, before[column - 1] + 1)
        }
        current.append(count)
      }
      (before, previous) = (previous, current)
    }
    return previous[other.count]
  }
}
