import CatalogEngine

/// Who has a part in which movie: a rule by which either is had of the other, without a search and without a table.
///
/// The idea: the parts of one kind are numbered through all movies, and the holder of a part is an affine function of
/// its number, modulo a prime as large as the group that holds such parts. The function can be undone, so that the parts
/// of a holder are every so-many-th number, whichever movie they lie in.
struct PartRule: Sendable {
  /// The holders, numbered from 0; a prime.
  let holderCount: Int

  /// The parts of the kind that each movie has.
  let partsPerMovie: Int

  private let factor: Int
  private let inverse: Int
  private let offset: Int

  /// Makes a rule that is the same for a seed and a purpose.
  init(holderCount: Int, partsPerMovie: Int, seed: UInt64, purpose: StaticString) {
    let draw = Draw(seed, UInt64(holderCount))
    self.holderCount = holderCount
    self.partsPerMovie = partsPerMovie
    // 0 has no inverse, and 1 would give neighbours to neighbours.
    factor = 2 + draw.number(below: holderCount - 2, for: purpose)
    offset = Draw(draw.value, 1).number(below: holderCount, for: purpose)
    inverse = Self.inverse(of: factor, modulo: holderCount)
  }

  /// Who has the movie's `part`, counted from 0.
  func holder(of part: Int, inMovie ordinal: Int) -> Int {
    let number = (ordinal * partsPerMovie + part).floorRemainder(by: holderCount)
    return (factor * number + offset) % holderCount
  }

  /// The parts that a holder has in the first `movieCount` movies, the newest first.
  func parts(of holder: Int, ofMovies movieCount: Int) -> [(ordinal: Int, part: Int)] {
    let first = inverse * (holder - offset).floorRemainder(by: holderCount) % holderCount
    return stride(from: first, to: movieCount * partsPerMovie, by: holderCount).reversed().map { number in
      (number / partsPerMovie, number % partsPerMovie)
    }
  }

  /// Fermat's little theorem: the power of two less than the prime.
  private static func inverse(of factor: Int, modulo prime: Int) -> Int {
    var (result, power, exponent) = (1, factor, prime - 2)
    while exponent > 0 {
      if !exponent.isMultiple(of: 2) { result = result * power % prime }
      power = power * power % prime
      exponent /= 2
    }
    return result
  }
}
