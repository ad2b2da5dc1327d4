/// A JSON value as it stands in a document: members in their order, numbers as they are spelled, and the line each
/// value was read from, so that an error can name it.
struct JSONNode {
  struct Member {
    let name: String
    let line: Int
    let node: JSONNode
  }

  indirect enum Content {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([Member])
  }

  /// The line, counted from 1; 0 for a value that was not read.
  let line: Int
  let content: Content

  init(line: Int = 0, _ content: Content) {
    self.line = line
    self.content = content
  }

  init(parsing bytes: some Sequence<UInt8>) throws(JSONSyntaxError) {
    var parser = JSONParser(bytes: Array(bytes))
    self = try parser.parseDocument()
  }

  /// The value, its members in ascending order of their names.
  init(_ value: JSONValue) {
    let content: Content =
      switch value {
      case .null: .null
      case .bool(let value): .bool(value)
      case .integer(let value): .number(String(value))
      // JSON has no infinities and no NaN.
      case .number(let value): value.isFinite ? .number("\(value)") : .null
      case .string(let value): .string(value)
      case .array(let elements): .array(elements.map { JSONNode($0) })
      case .object(let members):
        .object(
          members.sorted { $0.key < $1.key }.map {
            Member(name: $0.key, line: 0, node: JSONNode($0.value))
          })
      }
    self.init(content)
  }

  /// Makes an object of members in that order.
  static func object(_ members: [(String, JSONNode?)]) -> JSONNode {
    JSONNode(
      .object(
        members.compactMap { name, node in node.map { Member(name: name, line: 0, node: $0) } }))
  }

  static func string(_ text: String) -> JSONNode { JSONNode(.string(text)) }

  static func array(_ elements: [JSONNode]) -> JSONNode { JSONNode(.array(elements)) }

  var value: JSONValue {
    switch content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let text): Int64(text).map { .integer($0) } ?? .number(Double(text) ?? .nan)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members): .object(Dictionary(members.map { ($0.name, $0.node.value) }) { $1 })
    }
  }

  func encoded(isPretty: Bool) -> String {
    var writer = JSONWriter(isPretty: isPretty)
    writer.write(self)
    return writer.text
  }

  /// The same document with the value at each place of `path` replaced, and whether there was one.
  func replacing(_ path: ArraySlice<String>, with text: String) -> (node: JSONNode, isChanged: Bool) {
    guard let first = path.first else {
      if case .string(text) = content { return (self, false) }
      return (JSONNode(line: line, .string(text)), true)
    }
    var isChanged = false
    func descend(_ node: JSONNode) -> JSONNode {
      let (node, changed) = node.replacing(path.dropFirst(), with: text)
      isChanged = isChanged || changed
      return node
    }
    switch content {
    case .object(let members):
      let replaced = members.map { member in
        first == "*" || first == member.name
          ? Member(name: member.name, line: member.line, node: descend(member.node)) : member
      }
      return (JSONNode(line: line, .object(replaced)), isChanged)
    case .array(let elements):
      let replaced = elements.enumerated().map { index, element in
        first == "*" || first == String(index) ? descend(element) : element
      }
      return (JSONNode(line: line, .array(replaced)), isChanged)
    default: return (self, false)
    }
  }

  /// The same document with the texts and numbers of members of these names replaced at any depth, and whether there
  /// were any.
  ///
  /// - Parameter names: The names in lower case.
  func replacing(members names: Set<String>, with text: String) -> (node: JSONNode, isChanged: Bool) {
    var isChanged = false
    func descend(_ node: JSONNode) -> JSONNode {
      let (node, changed) = node.replacing(members: names, with: text)
      isChanged = isChanged || changed
      return node
    }
    switch content {
    case .object(let members):
      let replaced = members.map { member in
        guard names.contains(member.name.lowercased()), let secret = member.node.secretText else {
          return Member(name: member.name, line: member.line, node: descend(member.node))
        }
        isChanged = isChanged || secret != text
        return Member(
          name: member.name, line: member.line, node: JSONNode(line: member.node.line, .string(text)))
      }
      return (JSONNode(line: line, .object(replaced)), isChanged)
    case .array(let elements): return (JSONNode(line: line, .array(elements.map(descend))), isChanged)
    default: return (self, false)
    }
  }

  /// The texts and numbers of members of these names at any depth.
  ///
  /// - Parameter names: The names in lower case.
  func texts(ofMembers names: Set<String>) -> Set<String> {
    switch content {
    case .object(let members):
      members.reduce(into: []) { found, member in
        if names.contains(member.name.lowercased()), let secret = member.node.secretText {
          found.insert(secret)
        } else {
          found.formUnion(member.node.texts(ofMembers: names))
        }
      }
    case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.texts(ofMembers: names)) }
    default: []
    }
  }

  /// What a member may hide: a text that is not empty, or a number.
  private var secretText: String? {
    switch content {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let text): text
    default: nil
    }
  }
}
