/// The settings that hold, as the command prints them.
struct ConfigPresentation {
  let settings: Settings
  /// Where the API key is; `nil` if there is none.
  let keyPlace: APIKeySetting.Place?
  /// Why the key is refused; `nil` if it is not.
  let keyRefusal: String?

  /// The settings as one JSON object.
  func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("file", settings.hasFile ? settings.location?.path : nil)
      json.member("settings", each: settings.effective) { json, effective in
        json.object { json in
          json.member("key", effective.setting.key)
          json.name("value")
          json.value(of: effective)
          json.member("origin", effective.origin.kind)
          json.member("from", effective.origin.name)
        }
      }
      json.name("apiKey")
      json.object { json in
        json.member("isSet", keyPlace != nil && keyRefusal == nil)
        json.member("origin", keyPlace?.kind)
        json.member("from", keyPlace?.name)
        json.member("refusal", keyRefusal)
      }
    }
    return json.text + "\n"
  }

  /// The settings as a table below the file's name.
  func table(width: Int, style: Style) -> String {
    // Nothing is cut: half a path is of no use.
    var table = Table([.init("Setting", .left), .init("Value", .left), .init("From", .left)])
    for effective in settings.effective {
      table.append([
        .init(effective.setting.key), .init(effective.shown ?? "–"),
        .init(effective.origin.shown, effective.origin == .fallback ? .faint : .plain),
      ])
    }
    table.append([
      .init("API key"), keyCell, .init(keyPlace?.shown ?? "–", keyPlace == nil ? .faint : .plain),
    ])
    let head = style.drawn("Configuration file", as: .heading) + " " + fileShown.neutralized
    return ([head, ""] + table.lines(width: width, style: style)).joined(separator: "\n") + "\n"
  }

  private var keyCell: Table.Cell {
    if keyRefusal != nil { return .init("refused", .warning) }
    return .init(keyPlace == nil ? "not set" : "set")
  }

  private var fileShown: String {
    guard let location = settings.location else { return "none" }
    return settings.hasFile ? location.path : "none (there is no \(location.path))"
  }
}

extension EffectiveSetting {
  /// The value as it may be told; `nil` for none.
  fileprivate var shown: String? {
    setting == KnownSettings.apiKeyFile.description ? text.map(KeyFile.shown) : text
  }
}

extension APIKeySetting.Place {
  /// The kind of place, as origins of settings are named.
  fileprivate var kind: String {
    switch self {
    case .variable: "variable"
    case .file: "file"
    case .credential: "credential"
    }
  }

  /// The variable, or the file.
  fileprivate var name: String {
    switch self {
    case .variable: APIKeySetting.variable
    case .file(let file): KeyFile.shown(file.path)
    case .credential(let path): path
    }
  }

  fileprivate var shown: String { "\(kind) \(name)" }
}

extension JSONWriter {
  /// Writes a setting's value in the shape in which a configuration file has it.
  fileprivate mutating func value(of effective: EffectiveSetting) {
    guard let text = effective.shown else { return null() }
    switch effective.setting.shape {
    case .text, .path: value(text)
    case .number: number(text)
    case .list: array(text.split(separator: ",").map(String.init)) { $0.value($1) }
    }
  }
}
