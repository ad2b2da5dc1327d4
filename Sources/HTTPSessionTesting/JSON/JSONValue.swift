/// A JSON value ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)) that can be written as a Swift literal.
///
/// ```swift
/// let body: JSONValue = ["name": "Ada", "tags": ["math", nil], "age": 36]
/// ```
/// A number without fraction or exponent that fits 64 bits is an ``integer(_:)``; `1` and `1.0` are equal.
public indirect enum JSONValue: Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object; the order of its members does not matter.
  case object([String: JSONValue])
}

extension JSONValue: Hashable {
  /// Compares by value: `1` equals `1.0`.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.integer(let left), .number(let right)): Int64(exactly: right) == left
    case (.number(let left), .integer(let right)): Int64(exactly: left) == right
    case (.string(let left), .string(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Hashes so that equal values hash alike.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .number(let value):
      if let whole = Int64(exactly: value) { hasher.combine(whole) } else { hasher.combine(value) }
    case .string(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// A repeated key keeps the last value, as most parsers do.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

extension JSONValue {
  /// The member of that name; `nil` if this is no object or has none.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  /// The element at that position; `nil` if this is no array or is shorter.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The value at a path of names and positions joined by dots, such as `users.0.name`.
  public func value(at path: JSONPath) -> JSONValue? {
    var value = self
    for component in path.components {
      guard let next = value[component] ?? Int(component).flatMap({ value[$0] }) else { return nil }
      value = next
    }
    return value
  }

  /// Whether this value holds all of `part`: every member of its objects, and arrays of the same length whose
  /// elements hold its elements.
  public func contains(_ part: JSONValue) -> Bool {
    switch (self, part) {
    case (.object(let whole), .object(let members)):
      members.allSatisfy { name, value in whole[name]?.contains(value) ?? false }
    case (.array(let whole), .array(let elements)):
      whole.count == elements.count && zip(whole, elements).allSatisfy { $0.contains($1) }
    default: self == part
    }
  }
}
