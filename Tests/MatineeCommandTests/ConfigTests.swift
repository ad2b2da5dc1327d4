import Foundation
import Testing

@testable import MatineeCommand

@Suite struct `When the configuration is asked for` {
  @Test func `JSON has its keys in this order, values in the file's shapes, and where each comes from`()
    async throws
  {
    try await withDesk { desk in
      let file = desk.folder.appending(path: "settings.json").path
      let json = #"{"sync": {"only": ["daily", "details"], "budget": 500}, "callTimeout": "90s"}"#
      try Data(json.utf8).write(to: URL(filePath: file))
      desk.environment["MATINEE_QUOTA_CALLS_PER_DAY"] = "1000"
      let outcome = await desk.run("config", "--config", file, "--log-level", "info", "--format", "json")
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      #expect(
        memberNames(outcome.output) == [
          "file", "settings", " key", " value", " origin", " from", "apiKey", " isSet", " origin", " from",
          " refusal",
        ])
      let lines = [
        #"{"file":"\#(file)","settings":[{"key":"database","value":"\#(desk.database.path)","#
          + #""origin":"variable","from":"MATINEE_DATABASE"}"#,
        #"{"key":"upstream","value":"https://kobis.or.kr/kobisopenapi/webservice/rest","origin":"default","from":null}"#,
        #"{"key":"logLevel","value":"info","origin":"flag","from":"--log-level"}"#,
        #"{"key":"apiKeyFile","value":null,"origin":"default","from":null}"#,
        #"{"key":"callTimeout","value":"90s","origin":"file","from":"\#(file)"}"#,
        #"{"key":"quota.callsPerDay","value":1000,"origin":"variable","from":"MATINEE_QUOTA_CALLS_PER_DAY"}"#,
        #"{"key":"quota.reservedCalls","value":100,"origin":"default","from":null}"#,
        #"{"key":"quota.resetHourInKorea","value":0,"origin":"default","from":null}"#,
        #"{"key":"sync.only","value":["daily","details"],"origin":"file","from":"\#(file)"}"#,
        #"{"key":"sync.budget","value":500,"origin":"file","from":"\#(file)"}"#,
        #"{"key":"sync.concurrentCalls","value":4,"origin":"default","from":null}"#,
        // The desk's catalogue makes no retries.
        #"{"key":"sync.retries","value":0,"origin":"default","from":null}"#,
        #"{"key":"sync.every","value":null,"origin":"default","from":null}]"#,
        #""apiKey":{"isSet":true,"origin":"variable","from":"KOBIS_API_KEY","refusal":null}}"#,
      ]
      #expect(outcome.output == lines.joined(separator: ",") + "\n")
      #expect(!FileManager.default.fileExists(atPath: desk.database.path))
    }
  }

  @Test func `the table tells values and origins, and cuts nothing`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_UPSTREAM"] = "http://127.0.0.1/" + String(repeating: "a", count: 100)
      desk.environment["KOBIS_API_KEY"] = nil
      let outcome = await desk.run("config")
      #expect(outcome.status == 0)
      let lines = outcome.output.split(separator: "\n").map(String.init)
      #expect(
        lines.first
          == "Configuration file none (there is no \(desk.folder.path)/.config/matinee/config.json)")
      func cells(_ name: String) -> [Substring]? {
        lines.first { $0.hasPrefix(name) }?.split(separator: " ")
      }
      #expect(
        cells("upstream")
          == [
            "upstream", Substring(desk.environment["MATINEE_UPSTREAM"] ?? ""), "variable", "MATINEE_UPSTREAM",
          ])
      #expect(cells("sync.budget") == ["sync.budget", "–", "default"])
      #expect(cells("API key") == ["API", "key", "not", "set", "–"])
      for setting in KnownSettings.all { #expect(cells(setting.key) != nil) }
    }
  }

  @Test func `of the key it is told where it is, and no character of it`() async throws {
    try await withDesk { desk in
      let key = "canary-key-0123456789"
      let file = desk.folder.appending(path: "kobis-api-key").path
      try Data(key.utf8).write(to: URL(filePath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      desk.environment["KOBIS_API_KEY"] = nil
      // Where it has no business to be, too.
      desk.environment["MATINEE_DATABASE"] = "/tmp/\(key).db"
      let places: [(name: String, value: String, origin: String, from: String)] = [
        ("CREDENTIALS_DIRECTORY", desk.folder.path, "credential", file),
        ("KOBIS_API_KEY_FILE", file, "file", file), ("KOBIS_API_KEY", key, "variable", "KOBIS_API_KEY"),
      ]
      for (name, value, origin, from) in places {
        desk.environment[name] = value
        let outcome = await desk.run("config", "--format", "json")
        #expect(outcome.status == 0)
        let told = try #require(try object(outcome.output)["apiKey"] as? [String: Any])
        #expect(told["isSet"] as? Bool == true)
        #expect(told["origin"] as? String == origin)
        #expect(told["from"] as? String == from)
        let table = await desk.run("config")
        #expect(table.status == 0)
        #expect(table.output.contains("/tmp/[key].db"))
        #expect(!(outcome.output + outcome.errors + table.output + table.errors).contains("canary"))
      }
    }
  }

  @Test func `a key file that is refused is told with everything else, and makes it 78`() async throws {
    try await withDesk { desk in
      let file = desk.folder.appending(path: "key").path
      try Data("canary-key-0123456789".utf8).write(to: URL(filePath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
      let configuration = desk.folder.appending(path: "settings.json").path
      try Data(#"{"apiKeyFile": "\#(file)"}"#.utf8).write(to: URL(filePath: configuration))
      desk.environment["KOBIS_API_KEY"] = nil
      let reason =
        "the key's file \(file) may be read by its group or by others; run: chmod 600 \(file)"
      let json = await desk.run("config", "--config", configuration, "--format", "json")
      #expect(json.status == 78)
      #expect(json.errors == "matinee: \(reason)\n")
      let told = try #require(try object(json.output)["apiKey"] as? [String: Any])
      #expect(told["isSet"] as? Bool == false)
      #expect(told["origin"] as? String == "file")
      #expect(told["from"] as? String == file)
      #expect(told["refusal"] as? String == reason)
      let table = await desk.run("config", "--config", configuration)
      #expect(table.status == 78)
      #expect(table.output.contains("refused"))
      var deaf = desk
      deaf.output = CapturedOutput(failing: .closed)
      let unread = await deaf.run("config", "--config", configuration)
      #expect(unread.status == 78)
      #expect(unread.errors == "matinee: \(reason)\n")
      #expect(!(json.output + json.errors + table.output + table.errors).contains("canary"))
    }
  }

  @Test func `a variable that sets nothing is named with the nearest, and its value is not`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_QOUTA_CALLS_PER_DAY"] = "canary"
      let outcome = await desk.run("config")
      #expect(outcome.status == 0)
      #expect(
        outcome.errors
          == "matinee: the environment's MATINEE_QOUTA_CALLS_PER_DAY sets nothing; the nearest is "
          + "MATINEE_QUOTA_CALLS_PER_DAY\n")
      #expect(!outcome.output.contains("canary"))
    }
  }

  @Test func `the program itself reads option, variable and file, each before the next`() async throws {
    try await withDesk { desk in
      let file = desk.folder.appending(path: "settings.json").path
      let json = #"{"logLevel": "trace", "upstream": "https://example.com/a", "database": "/nowhere/a.db"}"#
      try Data(json.utf8).write(to: URL(filePath: file))
      let environment = [
        "HOME": desk.folder.path, "MATINEE_CONFIG": file, "MATINEE_LOG_LEVEL": "debug",
        "MATINEE_UPSTREAM": "https://example.com/b",
      ]
      let end = try await SpawnedCommand(
        ["config", "--format", "json", "--upstream", "recorded"], environment: environment
      ).finish()
      #expect(end.status == 0, "\(end.errors)")
      #expect(end.output.contains(#""value":"recorded","origin":"flag","from":"--upstream""#))
      #expect(end.output.contains(#""value":"debug","origin":"variable","from":"MATINEE_LOG_LEVEL""#))
      #expect(end.output.contains(#""value":"/nowhere/a.db","origin":"file","from":"\#(file)""#))
      #expect(
        end.output.contains(#"{"key":"quota.callsPerDay","value":3000,"origin":"default","from":null}"#))
      #expect(
        end.output.hasSuffix(#""apiKey":{"isSet":false,"origin":null,"from":null,"refusal":null}}"# + "\n"))
    }
  }
}
