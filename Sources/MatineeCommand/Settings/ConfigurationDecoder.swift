import KOBIS

/// Reads a configuration file's JSON into the settings it holds, and refuses everything else.
struct ConfigurationDecoder {
  private let bytes: [UInt8]
  private let known: [String: SettingDescription]
  private let groups: Set<String>
  /// All names there are, in the order in which they are told.
  private let names: [String]
  private var entries: [String: ConfigurationFile.Entry] = [:]
  /// The whole names that have stood in the file, whatever their values.
  private var seen: Set<String> = []

  /// The settings that `bytes` hold, by their keys.
  static func entries(
    of bytes: [UInt8], known: [SettingDescription]
  ) throws(ConfigurationError) -> [String: ConfigurationFile.Entry] {
    var decoder = ConfigurationDecoder(bytes, known: known)
    let failure = { (error: JSONError) in ConfigurationError(error, in: bytes) }
    return try JSONReader.read(bytes, failure: failure) { reader throws(ConfigurationError) in
      try decoder.object(at: nil, &reader)
      return decoder.entries
    }
  }

  private init(_ bytes: [UInt8], known: [SettingDescription]) {
    self.bytes = bytes
    self.known = Dictionary(known.map { ($0.key, $0) }) { first, _ in first }
    groups = Set(known.flatMap(\.groups))
    names = known.map(\.key) + known.flatMap(\.groups)
  }

  /// Reads the object of a group; that of the whole file if there is none.
  private mutating func object(at group: String?, _ reader: inout JSONReader) throws(ConfigurationError) {
    try json { () throws(JSONError) in try reader.beginObject() }
    while let name = try json({ () throws(JSONError) in try reader.nextKey() }) {
      let last = reader.makeString(name)
      let key = group.map { "\($0).\(last)" } ?? last
      let line = ConfigurationError.line(at: name.start, in: bytes)
      guard groups.contains(key) || known[key] != nil else { throw unknown(key, last: last, line: line) }
      guard seen.insert(key).inserted else {
        throw ConfigurationError(line: line, reason: "\(key) is set a second time")
      }
      // What is null is as if it were not there, so that a file can list all there is.
      if try json({ () throws(JSONError) in try reader.null() }) { continue }
      if groups.contains(key) {
        guard try json({ () throws(JSONError) in try reader.type() }) == .object else {
          throw ConfigurationError(line: line, reason: "\(key) is a group of settings, and takes an object")
        }
        try object(at: key, &reader)
      } else if let setting = known[key] {
        try value(of: setting, line: line, &reader)
      }
    }
  }

  private mutating func value(
    of setting: SettingDescription, line: Int, _ reader: inout JSONReader
  ) throws(ConfigurationError) {
    let text: String?
    switch (setting.shape, try json { () throws(JSONError) in try reader.type() }) {
    case (.text, .string), (.path, .string):
      let string = reader.makeString(try json { () throws(JSONError) in try reader.string() })
      text = setting.shape == .path && !string.hasPrefix("/") ? nil : string
    case (.number, .number):
      let number = try json { () throws(JSONError) in try reader.number() }
      text = String(decoding: bytes[number.start..<number.end], as: UTF8.self)
    case (.list, .array): text = try list(&reader)
    default: text = nil
    }
    guard let text else {
      throw ConfigurationError(
        line: line, reason: "\(setting.key) takes \(setting.expectation), \(setting.shape.spelling)")
    }
    entries[setting.key] = ConfigurationFile.Entry(text: text, line: line)
  }

  /// The texts of an array, parted by commas; `nil` if one is no text.
  private func list(_ reader: inout JSONReader) throws(ConfigurationError) -> String? {
    var texts: [String] = []
    try json { () throws(JSONError) in try reader.beginArray() }
    while try json({ () throws(JSONError) in try reader.nextElement() }) {
      guard try json({ () throws(JSONError) in try reader.type() }) == .string else { return nil }
      texts.append(reader.makeString(try json { () throws(JSONError) in try reader.string() }))
    }
    return texts.joined(separator: ",")
  }

  private func unknown(_ key: String, last: String, line: Int) -> ConfigurationError {
    if Self.isSecret(last) {
      return ConfigurationError(
        line: line,
        reason: "\(shown(key)): the API key is never in a configuration file; set "
          + "\(APIKeySetting.variable), or name a file that holds it, and that only you can read, with "
          + "\(KnownSettings.apiKeyFile.description.key)")
    }
    let nearest = NearestName.nearest(to: key, in: names).map { "; the nearest is \($0)" } ?? ""
    return ConfigurationError(line: line, reason: "there is no setting \(shown(key))\(nearest)")
  }

  /// A name that was mistyped beyond recognition needs no more than its begin.
  private func shown(_ key: String) -> String { key.truncated(toWidth: 60) }

  /// Whether a key of this name would hold the API key.
  private static func isSecret(_ name: String) -> Bool {
    let folded = name.lowercased().filter { $0.isLetter }
    return ["key", "secret", "token", "password"].contains(where: folded.hasSuffix)
  }

  private func json<Value>(_ body: () throws(JSONError) -> Value) throws(ConfigurationError) -> Value {
    do throws(JSONError) { return try body() } catch { throw ConfigurationError(error, in: bytes) }
  }
}

extension SettingShape {
  /// How JSON has to spell the value, in words that follow what it is.
  fileprivate var spelling: String {
    switch self {
    case .text: "in quotation marks"
    case .path: "in quotation marks, and absolute, as a file does not know where it will be read"
    case .number: "without quotation marks"
    case .list: "in quotation marks each, and in brackets"
    }
  }
}
