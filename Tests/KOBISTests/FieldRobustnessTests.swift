import Foundation
import KOBIS
import Testing

/// A place in a JSON text: the keys and indices that lead to it.
private struct Place {
  var steps: [Step] = []

  enum Step {
    case key(String)
    case index(Int)
  }

  /// As errors name it: `movieListResult.movieList[0].movieCd`.
  var path: String {
    steps.reduce("") { path, step in
      switch step {
      case .key(let key): path.isEmpty ? key : "\(path).\(key)"
      case .index(let index): "\(path)[\(index)]"
      }
    }
  }

  /// The path without indices.
  var field: String { path.replacing(/\[\d+\]/, with: "") }

  func appending(_ step: Step) -> Place { Place(steps: steps + [step]) }

  /// Every value's place, parents before children, the whole itself left out; of a list the first two rows, as all are
  /// alike.
  static func all(in value: Any, at place: Place = Place()) -> [Place] {
    var places = place.steps.isEmpty ? [] : [place]
    if let object = value as? [String: Any] {
      for (key, child) in object.sorted(by: { $0.key < $1.key }) {
        places += all(in: child, at: place.appending(.key(key)))
      }
    } else if let array = value as? [Any] {
      for (index, child) in array.prefix(2).enumerated() {
        places += all(in: child, at: place.appending(.index(index)))
      }
    }
    return places
  }

  /// What is here in `value`; `nil` if nothing is.
  func value(in value: Any) -> Any? {
    steps.reduce(value as Any?) { value, step -> Any? in
      switch step {
      case .key(let key): (value as? [String: Any])?[key]
      case .index(let index): (value as? [Any])?[index]
      }
    }
  }

  /// `value` with `replacement` here, or without the field if that is `nil`.
  func replacing(in value: Any, with replacement: Any?) -> Any {
    guard let step = steps.first else { return replacement ?? NSNull() }
    let rest = Place(steps: Array(steps.dropFirst()))
    switch step {
    case .key(let key):
      guard var object = value as? [String: Any], let child = object[key] else { return value }
      object[key] = steps.count == 1 ? replacement : rest.replacing(in: child, with: replacement)
      return object
    case .index(let index):
      guard var array = value as? [Any] else { return value }
      array[index] = rest.replacing(in: array[index], with: replacement)
      return array
    }
  }
}

@Suite struct `When a field is not as KOBIS sends it` {
  /// The error that the answer earns with `replacement` at `place`; `nil` if it is read all the same.
  private func error(
    _ answer: Sample.Answer, _ object: Any, _ place: Place, _ replacement: Any?
  ) throws -> KOBISError? {
    let changed = place.replacing(in: object, with: replacement)
    let body = [UInt8](try JSONSerialization.data(withJSONObject: changed))
    do throws(KOBISError) {
      try answer.decode(body)
      return nil
    } catch {
      return error
    }
  }

  private func object(_ answer: Sample.Answer) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(answer.body()))
  }

  @Test(arguments: Sample.answers) func `one that is missing is named`(_ answer: Sample.Answer) throws {
    let object = try object(answer)
    for place in Place.all(in: object) {
      guard case .key? = place.steps.last else { continue }
      let error = try error(answer, object, place, nil)
      if answer.optionalFields.contains(place.field) {
        #expect(error == nil, "\(place.path)")
      } else {
        #expect(error?.code == .fieldMissing, "\(place.path)")
        #expect(error?.path == place.path)
      }
    }
  }

  @Test(arguments: Sample.answers) func `one of another type is named`(_ answer: Sample.Answer) throws {
    let object = try object(answer)
    for place in Place.all(in: object) {
      for replacement in Self.otherTypes(than: place.value(in: object), at: place) {
        let error = try error(answer, object, place, replacement)
        if Self.skippedFields.contains(where: { place.field.hasSuffix($0) }) {
          #expect(error == nil, "\(place.path)")
        } else {
          #expect(error?.code == .wrongType, "\(place.path): \(replacement)")
          #expect(error?.path == place.path)
        }
      }
    }
  }

  /// What the decoders have no use for, and so do not look at.
  private static let skippedFields = [".source", ".boxofficeType"]

  private static func otherTypes(than value: Any?, at place: Place) -> [Any] {
    let list: [Any] = []
    let object: [String: Any] = [:]
    return switch value {
    case is [Any]: [true, 7, "x", object]
    case is [String: Any]: [true, 7, "x", list]
    // A homepage may be an object.
    case is String where place.field.hasSuffix(".homepages"): [true, 7, list]
    case is String, is NSNull: [true, 7, list, object]
    default: [true, list, object]
    }
  }

  @Test(arguments: Sample.answers)
  func `null is a value's absence or an error there, never a trap`(_ answer: Sample.Answer) throws {
    let object = try object(answer)
    for place in Place.all(in: object) {
      guard let error = try error(answer, object, place, NSNull()) else { continue }
      let path = try #require(error.path, "\(place.path)")
      #expect(place.path.hasPrefix(path) || path.hasPrefix(place.path), "\(place.path): \(error)")
    }
  }
}
