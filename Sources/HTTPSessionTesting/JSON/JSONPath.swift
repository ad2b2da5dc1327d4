/// A place in a JSON document: names and array positions joined by dots, such as `users.0.name`; `*` stands for
/// every member or element where several places are meant.
public struct JSONPath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The names and positions from the document's root.
  public let components: [String]

  /// Makes a path from its components.
  public init(components: [String]) { self.components = components }

  /// Reads a path whose components are joined by dots.
  public init(_ text: String) { components = text.split(separator: ".").map(String.init) }

  /// Reads a path whose components are joined by dots.
  public init(stringLiteral value: String) { self.init(value) }

  /// The components joined by dots.
  public var description: String { components.joined(separator: ".") }
}
