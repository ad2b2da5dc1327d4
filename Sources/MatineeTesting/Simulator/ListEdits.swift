/// What a test has changed in one of the long lists: rows that it added, changed and withdrew.
///
/// The invented rows are not held: they are numbered, the newest last, and a list is read from the newest on. Added rows
/// stand before them all.
struct ListEdits<Code: Hashable & Sendable, Row: Sendable>: Sendable {
  /// The newest first.
  private var added: [(code: Code, row: Row)] = []
  private var changed: [Code: Row] = [:]
  /// The numbers of invented rows that are not shown, ascending.
  private var gone: [Int] = []

  /// How many edits there are.
  var count: Int { added.count + changed.count + gone.count }

  /// Puts a row into the list: in the place of the one of its code, or before all others.
  ///
  /// - Parameters:
  ///   - ordinal: The number of the invented row of that code; `nil` if there is and will be none.
  ///   - inventedCount: How many invented rows there are by now.
  mutating func put(_ row: Row, _ code: Code, ordinal: Int?, inventedCount: Int) {
    if let index = added.firstIndex(where: { $0.code == code }) {
      added[index].row = row
    } else if let ordinal, ordinal < inventedCount, !gone.contains(ordinal) {
      changed[code] = row
    } else {
      added.insert((code, row), at: 0)
      // The invented row of the code, if it comes later, must not stand beside it.
      if let ordinal { hide(ordinal) }
    }
  }

  /// Takes the row of a code out of the list.
  mutating func withdraw(_ code: Code, ordinal: Int?) {
    added.removeAll { $0.code == code }
    changed[code] = nil
    if let ordinal { hide(ordinal) }
  }

  private mutating func hide(_ ordinal: Int) {
    let place = gone.firstIndex { $0 >= ordinal } ?? gone.endIndex
    if place == gone.endIndex || gone[place] != ordinal { gone.insert(ordinal, at: place) }
  }

  /// The row of a code that the test put into the list; `nil` if it put none.
  func row(of code: Code) -> Row? { changed[code] ?? added.first { $0.code == code }?.row }

  /// Whether a row of the code is in the list.
  func holds(_ code: Code, ordinal: Int?, inventedCount: Int) -> Bool {
    if row(of: code) != nil { return true }
    guard let ordinal, (0..<inventedCount).contains(ordinal) else { return false }
    return !gone.contains(ordinal)
  }

  /// How many rows the list has, if `inventedCount` were invented.
  func rowCount(inventedCount: Int) -> Int {
    added.count + inventedCount - gone.count { $0 < inventedCount }
  }

  /// The page `number` of `rowCount` rows; empty past the end.
  func page(
    _ number: Int, rowCount: Int, inventedCount: Int, invented: (Int) -> (code: Code, row: Row)?
  ) -> [Row] {
    let total = self.rowCount(inventedCount: inventedCount)
    // A page's number is the caller's, and any.
    let (first, overflow) = (number - 1).multipliedReportingOverflow(by: rowCount)
    guard !overflow, first >= 0, first < total else { return [] }
    return (first..<min(first + rowCount, total)).compactMap { index in
      guard index >= added.count else { return added[index].row }
      let ordinal = shownOrdinal(index - added.count, inventedCount: inventedCount)
      return invented(ordinal).map { changed[$0.code] ?? $0.row }
    }
  }

  /// The number of the invented row at an index among those that are shown, counted from the newest.
  private func shownOrdinal(_ index: Int, inventedCount: Int) -> Int {
    var ordinal = inventedCount - 1 - index
    for hidden in gone.reversed() where hidden < inventedCount && hidden >= ordinal { ordinal -= 1 }
    return ordinal
  }
}
