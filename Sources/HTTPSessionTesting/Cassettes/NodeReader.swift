/// Reads the parts of a document and names file and line of what is not as it must be.
struct NodeReader {
  let node: JSONNode
  let fileName: String
  /// Where in the document this is.
  let place: String

  init(node: JSONNode, fileName: String, place: String) {
    self.node = node
    self.fileName = fileName
    self.place = place
  }

  init(root bytes: [UInt8], fileName: String) throws(HTTPTestingError) {
    do {
      self.init(node: try JSONNode(parsing: bytes), fileName: fileName, place: "the document")
    } catch {
      let isTruncated = error.isAtEnd
      throw HTTPTestingError(
        isTruncated ? .cassetteTruncated : .cassetteMalformed,
        "\(fileName): \(error)."
          + (isTruncated
            ? " Restore the file, or record it again." : " Mend the line, or record it again."))
    }
  }

  func failure(_ reason: String) -> HTTPTestingError {
    HTTPTestingError(
      .cassetteMalformed,
      "\(fileName): line \(node.line): \(place): \(reason). Mend the line, or record the cassette again."
    )
  }

  private var members: [JSONNode.Member]? {
    guard case .object(let members) = node.content else { return nil }
    return members
  }

  func optional(_ name: String) -> NodeReader? {
    members?.first { $0.name == name }.map {
      NodeReader(node: $0.node, fileName: fileName, place: "\"\(name)\"")
    }
  }

  func member(_ name: String) throws(HTTPTestingError) -> NodeReader {
    guard members != nil else { throw failure("an object was expected") }
    guard let reader = optional(name) else { throw failure("\"\(name)\" is missing") }
    return reader
  }

  /// Refuses members of other names: a misspelled one would be ignored in silence.
  func allow(_ names: Set<String>) throws(HTTPTestingError) {
    guard let members else { throw failure("an object was expected") }
    guard let other = members.first(where: { !names.contains($0.name) }) else { return }
    throw HTTPTestingError(
      .cassetteMalformed,
      "\(fileName): line \(other.line): \(place) knows no \"\(other.name)\"; there are "
        + "\(names.sorted().joined(separator: ", ")). Mend the line, or record the cassette again.")
  }

  func elements() throws(HTTPTestingError) -> [NodeReader] {
    guard case .array(let elements) = node.content else { throw failure("an array was expected") }
    return elements.map {
      NodeReader(node: $0, fileName: fileName, place: "an element of \(place)")
    }
  }

  func string() throws(HTTPTestingError) -> String {
    guard case .string(let text) = node.content else { throw failure("a string was expected") }
    return text
  }

  func strings() throws(HTTPTestingError) -> [String] {
    var strings: [String] = []
    for element in try elements() { strings.append(try element.string()) }
    return strings
  }

  func wholeNumber() throws(HTTPTestingError) -> Int {
    guard case .number(let text) = node.content, let number = Int(text) else {
      throw failure("a whole number was expected")
    }
    return number
  }
}
