/// The lists of codes that the upstream uses (KOBIS `searchCodeList`).
public enum CodeList: String, CaseIterable, Hashable, Sendable {
  /// The areas of the country, by which charts can be narrowed down.
  case areas
  /// The nations that films come from.
  case nations
  /// The types of films.
  case filmTypes = "film-types"
}

/// One of the upstream's lists of codes, in its order.
public struct CodeTable: Hashable, Sendable {
  /// A code and what it stands for.
  public struct Entry: Hashable, Sendable {
    /// The code (KOBIS `fullCd`).
    public var code: String
    /// Its Korean name (KOBIS `korNm`).
    public var name: String
    /// Its English name (KOBIS `engNm`); `nil` if the upstream has none.
    public var nameEnglish: String?

    /// Makes an entry.
    public init(code: String, name: String, nameEnglish: String? = nil) {
      self.code = code
      self.name = name
      self.nameEnglish = nameEnglish
    }
  }

  /// Which list it is.
  public var list: CodeList
  /// The codes, each of them once.
  public var entries: [Entry]

  /// Makes a list.
  public init(list: CodeList, entries: [Entry]) {
    self.list = list
    self.entries = entries
  }
}
