import Foundation
import KOBIS
import Logging
import Testing

@testable import MatineeCommand

@Suite struct `When the database's place is not named` {
  private func path(_ environment: [String: String]) throws(CommandError) -> String {
    try DatabaseSetting.defaultPath(in: environment)
  }

  @Test func `systemd's state directory comes before XDG's, and that before the home`() throws {
    let all = ["STATE_DIRECTORY": "/var/lib/m:/var/lib/n", "XDG_DATA_HOME": "/data", "HOME": "/home/a"]
    #expect(try path(all) == "/var/lib/m/matinee.db")
    #expect(try path(all.filter { $0.key != "STATE_DIRECTORY" }) == "/data/matinee/matinee.db")
    #expect(try path(["HOME": "/home/a"]) == "/home/a/.local/share/matinee/matinee.db")
  }

  @Test func `empty variables count as absent, and a relative XDG folder is ignored`() throws {
    let environment = ["MATINEE_DATABASE": "", "STATE_DIRECTORY": "", "XDG_DATA_HOME": "data", "HOME": "/h"]
    let database = try settings(environment: environment).database
    #expect(database == DatabaseSetting(path: "/h/.local/share/matinee/matinee.db", isDefault: true))
  }

  @Test func `the option comes before the variable`() throws {
    let environment = ["MATINEE_DATABASE": "b.db", "HOME": "/h"]
    let named = try settings("--database", "a.db", environment: environment).database
    #expect(named == DatabaseSetting(path: "a.db", isDefault: false))
    #expect(try settings(environment: environment).database.path == "b.db")
  }

  @Test func `without a home the configuration is at fault`() {
    #expect(throws: CommandError.self) { try path([:]) }
    do throws(CommandError) {
      _ = try path([:])
    } catch { #expect(error.status == .configuration) }
  }

  @Test func `the default's folder is made, for its owner alone`() async throws {
    try await withDesk { desk in
      desk.environment["MATINEE_DATABASE"] = nil
      let outcome = await desk.run("sync", "--upstream", "recorded", "--days", "1", "--only", "daily")
      #expect(outcome.status == 0)
      let folder = desk.folder.appending(path: ".local/share/matinee")
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
      #expect(FileManager.default.fileExists(atPath: folder.appending(path: "matinee.db").path))
    }
  }
}

@Suite struct `When the upstream is named` {
  private func upstream(_ text: String) -> SettingFlags {
    var flags = SettingFlags()
    flags.set(KnownSettings.upstream, written: text)
    return flags
  }

  @Test(arguments: [
    "", "kobis.or.kr", "ftp://kobis.or.kr", "https://", "https://user@host/", "https://host/?key=canary",
    "http://host:99999",
    "http://example.com/rest", "http://169.254.169.254/", "https://169.254.169.254/", "http://[fe80::1]/",
  ])
  func `what cannot or must not be asked is refused, and its text not repeated`(text: String) {
    do throws(CommandError) {
      _ = try Settings(upstream(text), environment: ["HOME": "/h"])
      Issue.record("\(text) was taken")
    } catch {
      #expect(error.status == .usage)
      #expect(error.message.hasPrefix("--upstream"))
      #expect(!error.message.contains("canary"))
    }
  }

  @Test(arguments: [
    "https://kobis.or.kr/kobisopenapi/webservice/rest/", "http://127.0.0.1:8080", "http://localhost/",
    "http://[::1]:80/a",
  ])
  func `https anywhere and plain http to this machine are taken`(text: String) throws {
    let base = try KOBISBase(text)
    #expect(try settings("--upstream", text, environment: ["HOME": "/h"]).upstream == .kobis(base))
  }

  @Test func `the option comes before the variable, and that before KOBIS itself`() throws {
    var environment = ["MATINEE_UPSTREAM": "http://127.0.0.1:1/", "HOME": "/h"]
    #expect(try settings("--upstream", "recorded", environment: environment).upstream == .recorded)
    #expect(try settings(environment: environment).upstream == .kobis(KOBISBase("http://127.0.0.1:1")))
    environment["MATINEE_UPSTREAM"] = ""
    #expect(try settings(environment: environment).upstream == .kobis(.official))
  }
}

@Suite struct `When the log level is set` {
  @Test func `the option comes before the variable, and that before warnings`() throws {
    let environment = ["MATINEE_LOG_LEVEL": "debug", "HOME": "/h"]
    #expect(try settings("--log-level", "error", environment: environment).logLevel == .error)
    #expect(try settings(environment: environment).logLevel == .debug)
    #expect(try settings(environment: ["HOME": "/h"]).logLevel == .warning)
  }

  @Test func `a level that does not exist is a fault of the configuration that names the variable`()
    async throws
  {
    try await withDesk { desk in
      desk.environment["MATINEE_LOG_LEVEL"] = "loud"
      let outcome = await desk.run("status")
      #expect(outcome.status == 78)
      let refusal = "MATINEE_LOG_LEVEL: there is no level 'loud'; it is one of trace, debug"
      #expect(outcome.errors.contains(refusal))
      // It would be in the way as soon as the option is left out.
      let overridden = await desk.run("status", "--log-level", "error")
      #expect(overridden.status == 78 && overridden.errors.contains(refusal))
    }
  }
}

@Suite struct `When the API key is looked for` {
  private func write(_ text: String, _ name: String, mode: Int, in folder: URL) throws -> String {
    let path = folder.appending(path: name).path
    #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  /// The key that an environment comes to.
  private func key(in environment: [String: String]) throws -> APIKey? {
    let file = try settings(environment: environment).keyFile
    return try APIKeySetting.place(in: environment, file: file).map { place in
      try APIKeySetting.key(at: place, in: environment)
    }
  }

  @Test func `the variable comes before its file, systemd's credential, and the configuration's file`()
    async throws
  {
    try await withDesk { desk in
      let file = try write("from-file\n", "key", mode: 0o600, in: desk.folder)
      let configured = try write("from-configuration\n", "configured", mode: 0o600, in: desk.folder)
      _ = try write("from-systemd", "kobis-api-key", mode: 0o400, in: desk.folder)
      var environment = [
        "KOBIS_API_KEY": "from-variable", "KOBIS_API_KEY_FILE": file,
        "CREDENTIALS_DIRECTORY": desk.folder.path, "HOME": "/h",
        "MATINEE_CONFIG": try write(
          #"{"apiKeyFile": "\#(configured)"}"#, "config.json", mode: 0o644, in: desk.folder),
      ]
      #expect(try key(in: environment) == APIKey("from-variable"))
      environment["KOBIS_API_KEY"] = ""
      #expect(try key(in: environment) == APIKey("from-file"))
      environment["KOBIS_API_KEY_FILE"] = ""
      #expect(try key(in: environment) == APIKey("from-systemd"))
      environment["CREDENTIALS_DIRECTORY"] = ""
      #expect(try key(in: environment) == APIKey("from-configuration"))
      environment["MATINEE_CONFIG"] = ""
      #expect(try key(in: environment) == nil)
    }
  }

  @Test func `a key in the place of its file's path is not repeated`() async throws {
    try await withDesk { desk in
      desk.environment["KOBIS_API_KEY"] = nil
      desk.environment["KOBIS_API_KEY_FILE"] = "canary-key-0123456789"
      for arguments in [["sync"], ["config"], ["config", "--format", "json"]] {
        let outcome = await desk.run(arguments)
        #expect(outcome.status == 78)
        #expect(
          outcome.errors.contains("the key's file (not shown, as it looks like no path) cannot be read"))
        #expect(!(outcome.errors + outcome.output).contains("canary"))
      }
    }
  }

  @Test(arguments: [0o640, 0o604, 0o644, 0o660, 0o601])
  func `a file that its group or others may use is refused, by its name`(mode: Int) async throws {
    try await withDesk { desk in
      desk.environment["KOBIS_API_KEY"] = nil
      desk.environment["KOBIS_API_KEY_FILE"] = try write(
        "canary-key-0123456789", "key", mode: mode, in: desk.folder)
      let outcome = await desk.run("sync")
      #expect(outcome.status == 78)
      #expect(
        outcome.errors.contains(
          "\(desk.folder.path)/key may be read by its group or by others; run: chmod 600"))
      #expect(!outcome.errors.contains("canary"))
      #expect(!FileManager.default.fileExists(atPath: desk.database.path))
    }
  }

  @Test func `systemd's mask of an access control list is no permission for a group`() {
    #expect(!KeyFile.isReadableByOthers(mode: 0o440, group: 0, from: .systemd))
    #expect(KeyFile.isReadableByOthers(mode: 0o444, group: 0, from: .systemd))
    #expect(KeyFile.isReadableByOthers(mode: 0o440, group: 1000, from: .systemd))
    #expect(KeyFile.isReadableByOthers(mode: 0o440, group: 0, from: .person))
    #expect(!KeyFile.isReadableByOthers(mode: 0o400, group: 1000, from: .person))
  }

  @Test func `a file that is missing, a folder, too large, empty or no key is refused, and never repeated`()
    async throws
  {
    try await withDesk { desk in
      desk.environment["KOBIS_API_KEY"] = nil
      let large = String(repeating: "k", count: KeyFile.byteCountMax + 1)
      let cases = [
        (desk.folder.path + "/nothing", "No such file"), (desk.folder.path, "is no regular file"),
        (try write(large, "large", mode: 0o600, in: desk.folder), "is larger than"),
        (try write("\n", "empty", mode: 0o600, in: desk.folder), "empty"),
        (try write("two words", "words", mode: 0o600, in: desk.folder), "white space"),
      ]
      for (path, reason) in cases {
        desk.environment["KOBIS_API_KEY_FILE"] = path
        let outcome = await desk.run("sync")
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains(reason))
        #expect(!outcome.errors.contains("two words"))
      }
    }
  }

  @Test func `a key among the arguments is refused before anything else, and not repeated`() async throws {
    try await withDesk { desk in
      for arguments in [
        ["sync", "--key", "canary-key-0123456789"], ["sync", "--api-key=canary-key-0123456789"],
        ["show", "a-test-key-of-no-use"],
        ["sync", "--upstream", "http://127.0.0.1/?key=a-test-key-of-no-use"],
      ] {
        let outcome = await desk.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("the API key is never an argument"))
        #expect(!outcome.errors.contains("canary") && !outcome.errors.contains("a-test-key"))
      }
    }
  }

  @Test func `a key too short to be looked for in texts is not looked for in arguments`() async throws {
    try await withDesk { desk in
      let arguments = ["status", "--database", desk.path("demo12.db")]
      desk.environment["KOBIS_API_KEY"] = "demo1"
      #expect(await desk.run(arguments).status == 0)
      desk.environment["KOBIS_API_KEY"] = "demo12"
      #expect(await desk.run(arguments).status == 64)
    }
  }

  @Test func `a sync without one is a fault of the configuration that says what to do`() async throws {
    try await withDesk { desk in
      desk.environment["KOBIS_API_KEY"] = nil
      let outcome = await desk.run("sync")
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains("KOBIS_API_KEY_FILE") && outcome.errors.contains("--upstream recorded"))
      #expect(outcome.output.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: desk.database.path))
    }
  }
}
