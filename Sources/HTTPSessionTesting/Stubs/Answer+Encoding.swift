public import Foundation
public import HTTPTypes

extension Answer {
  /// An encodable value as JSON.
  ///
  /// A value that cannot be encoded makes the stub contradictory, which the session reports.
  public static func json(
    encoding value: some Encodable, encoder: JSONEncoder = JSONEncoder(),
    status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Answer {
    do {
      return .content([UInt8](try encoder.encode(value)), "application/json", status, headers)
    } catch {
      return Answer(
        problem: .init(.notEncodable, "\(type(of: value)) cannot be encoded as JSON: \(error)"))
    }
  }

  /// A dictionary of strings, numbers, booleans, arrays and dictionaries as JSON, as `JSONSerialization` takes
  /// it; for code that has one already. Written out by hand, ``json(_:status:headers:)`` is checked by the
  /// compiler.
  ///
  /// A value that JSON does not know makes the stub contradictory, which the session reports.
  public static func json(
    dictionary: [String: Any], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Answer {
    guard JSONSerialization.isValidJSONObject(dictionary),
      let data = try? JSONSerialization.data(withJSONObject: dictionary, options: .sortedKeys)
    else {
      return Answer(
        problem: .init(
          .notEncodable,
          "The dictionary with the keys \(dictionary.keys.sorted()) holds a value that JSON does not know."
        ))
    }
    return .content([UInt8](data), "application/json", status, headers)
  }

  /// A file as the body: from a test target's own bundle, write `.fixture("user.json", in: .module)`.
  ///
  /// The content type follows from the name's ending, unless a header gives it. A file that is not there makes
  /// the stub contradictory, which the session reports with the places it looked in.
  ///
  /// - Parameters:
  ///   - name: The file's name with its ending, and folders before it if there are any.
  ///   - bundle: The bundle whose resources hold it.
  public static func fixture(
    _ name: String, in bundle: Bundle, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Answer {
    do throws(HTTPTestingError) {
      let bytes = try Fixture(name, in: bundle).bytes()
      return .content(bytes, Fixture.contentType(ofName: name), status, headers)
    } catch {
      return Answer(problem: error)
    }
  }

  /// A file at a URL as the body; otherwise as ``fixture(_:in:status:headers:)``.
  public static func fixture(
    at url: URL, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Answer {
    do throws(HTTPTestingError) {
      let bytes = try Fixture(at: url).bytes()
      return .content(bytes, Fixture.contentType(ofName: url.lastPathComponent), status, headers)
    } catch {
      return Answer(problem: error)
    }
  }
}
