import CatalogEngine
import Foundation
import HTTPTransport
import HTTPTypes
import KOBIS
import Testing

@testable import MatineeCommand

/// One setting, set differently in each place.
private struct PlacedSetting: Sendable {
  var key: String
  /// Options that set it; none if it has none.
  var options: [String] = []
  /// What ``options`` come to.
  var byOption: String?
  var byVariable: String
  /// The JSON value in the file.
  var json: String
  var byFile: String
  var byDefault: String?

  static let all = [
    PlacedSetting(
      key: "database", options: ["--database", "option.db"], byOption: "option.db", byVariable: "variable.db",
      json: #""/file.db""#, byFile: "/file.db", byDefault: "/h/.local/share/matinee/matinee.db"),
    PlacedSetting(
      key: "upstream", options: ["--upstream", "recorded"], byOption: "recorded",
      byVariable: "http://127.0.0.1:1/rest", json: #""https://example.com/rest""#,
      byFile: "https://example.com/rest", byDefault: "https://kobis.or.kr/kobisopenapi/webservice/rest"),
    PlacedSetting(
      key: "logLevel", options: ["--log-level", "error"], byOption: "error", byVariable: "debug",
      json: #""info""#, byFile: "info", byDefault: "warning"),
    PlacedSetting(
      key: "apiKeyFile", byVariable: "/by/variable", json: #""/by/file""#, byFile: "/by/file"),
    PlacedSetting(key: "callTimeout", byVariable: "90s", json: #""2m""#, byFile: "2m", byDefault: "15s"),
    PlacedSetting(
      key: "quota.callsPerDay", byVariable: "500", json: "600", byFile: "600", byDefault: "3000"),
    PlacedSetting(key: "quota.reservedCalls", byVariable: "0", json: "7", byFile: "7", byDefault: "200"),
    PlacedSetting(key: "quota.resetHourInKorea", byVariable: "9", json: "23", byFile: "23", byDefault: "0"),
    PlacedSetting(
      key: "sync.only", options: ["--only", "weekend:korean,details,daily"],
      byOption: "daily,details,weekend:korean", byVariable: "weekly",
      json: #"["weekend", "weekly"]"#, byFile: "weekly,weekend"),
    PlacedSetting(
      key: "sync.budget", options: ["--budget", "1"], byOption: "1", byVariable: "2", json: "3", byFile: "3"),
    PlacedSetting(
      key: "sync.concurrentCalls", byVariable: "1", json: "16", byFile: "16", byDefault: "4"),
    PlacedSetting(key: "sync.retries", byVariable: "0", json: "10", byFile: "10", byDefault: "3"),
    PlacedSetting(
      key: "sync.every", options: ["--every", "60m"], byOption: "1h", byVariable: "90m", json: #""1d""#,
      byFile: "1d"),
  ]

  /// The file's JSON: the value within its groups.
  var fileText: String {
    key.split(separator: ".").reversed().reduce(json) { value, name in #"{"\#(name)": \#(value)}"# }
  }
}

@Suite struct `When a setting is set in several places` {
  private func effective(
    _ placed: PlacedSetting, _ options: [String], _ environment: [String: String]
  ) throws -> EffectiveSetting {
    let all = try settings(options, environment: environment).effective
    return try #require(all.first { $0.setting.key == placed.key })
  }

  @Test func `the table below has every setting, and settings are told in their order`() throws {
    let known = KnownSettings.all
    #expect(PlacedSetting.all.map(\.key) == known.map(\.key))
    #expect(PlacedSetting.all.map { $0.options.first } == known.map(\.flag))
    #expect(try settings(environment: ["HOME": "/h"]).effective.map(\.setting) == known)
  }

  @Test(arguments: PlacedSetting.all)
  fileprivate func `the option comes before the variable, that before the file, and that before the default`(
    placed: PlacedSetting
  ) async throws {
    try await withDesk { desk in
      let setting = try #require(KnownSettings.all.first { $0.key == placed.key })
      let file = desk.folder.appending(path: "settings.json").path
      try Data(placed.fileText.utf8).write(to: URL(filePath: file))
      var environment = ["HOME": "/h", "MATINEE_CONFIG": file, setting.variable: placed.byVariable]

      if let flag = setting.flag {
        let byOption = try effective(placed, placed.options, environment)
        #expect(byOption == EffectiveSetting(setting: setting, text: placed.byOption, origin: .flag(flag)))
      }
      let byVariable = try effective(placed, [], environment)
      #expect(
        byVariable
          == EffectiveSetting(setting: setting, text: placed.byVariable, origin: .variable(setting.variable)))
      // What is empty counts as absent.
      environment[setting.variable] = ""
      let byFile = try effective(placed, [], environment)
      #expect(byFile == EffectiveSetting(setting: setting, text: placed.byFile, origin: .file(file)))
      try Data(#"{"\#(placed.key)": null}"#.utf8).write(to: URL(filePath: file))
      let byDefault = try effective(placed, [], environment)
      #expect(byDefault == EffectiveSetting(setting: setting, text: placed.byDefault, origin: .fallback))
    }
  }

  @Test func `the file's place is the option's, the variable's, systemd's, XDG's, the home's`() {
    var environment = [
      "MATINEE_CONFIG": "variable.json", "CONFIGURATION_DIRECTORY": "/etc/m:/etc/n",
      "XDG_CONFIG_HOME": "/xdg", "HOME": "/home/a",
    ]
    func path(option: String? = nil) -> String? {
      ConfigurationFile.Location(option: option, environment: environment)?.path
    }
    #expect(path(option: "option.json") == "option.json")
    #expect(path() == "variable.json")
    environment["MATINEE_CONFIG"] = ""
    #expect(path() == "/etc/m/config.json")
    environment["CONFIGURATION_DIRECTORY"] = ""
    #expect(path() == "/xdg/matinee/config.json")
    environment["XDG_CONFIG_HOME"] = "relative"
    #expect(path() == "/home/a/.config/matinee/config.json")
    environment["HOME"] = nil
    #expect(path() == nil)
  }
}

@Suite struct `When settings hold` {
  @Test func `they reach the catalogue and the sync`() async throws {
    try await withDesk { desk in
      let file = desk.folder.appending(path: "settings.json").path
      let json = """
        {"callTimeout": "3s", "quota": {"callsPerDay": 50, "reservedCalls": 9, "resetHourInKorea": 5},
         "sync.retries": 1, "sync": {"only": ["weekly"], "budget": 8, "concurrentCalls": 2, "every": "6h"}}
        """
      try Data(json.utf8).write(to: URL(filePath: file))
      let settings = try settings("--config", file, environment: ["HOME": "/h"])
      #expect(settings.catalog.transportLimits.total == .seconds(3))
      #expect(settings.catalog.transportLimits.connect == .seconds(3))
      #expect(
        settings.catalog.quota
          == QuotaPolicy(dailyCallCountMax: 50, reservedCallCount: 9, resetHourInKorea: 5))
      #expect(settings.catalog.syncRetry == RetryPolicy(retryCountMax: 1))
      #expect(
        settings.sync
          == Settings.SyncSettings(
            streams: [.weekly], callBudget: 8, concurrentCallCountMax: 2, interval: .seconds(21_600)))
    }
  }

  @Test func `what none of them says stays as the catalogue has it`() throws {
    let base = CatalogConfiguration(
      transportLimits: TransportLimits(total: .seconds(7), connect: .seconds(2)),
      quota: QuotaPolicy(dailyCallCountMax: 5, reservedCallCount: 2, resetHourInKorea: 3), syncRetry: .none)
    #expect(try Settings(SettingFlags(), environment: ["HOME": "/h"], base: base).catalog == base)
    // A reserve that was made for other calls does not hold for these.
    let more = try Settings(
      SettingFlags(), environment: ["HOME": "/h", "MATINEE_QUOTA_CALLS_PER_DAY": "100"], base: base)
    #expect(
      more.catalog.quota == QuotaPolicy(dailyCallCountMax: 100, reservedCallCount: 10, resetHourInKorea: 3))
  }

  @Test func `a sync follows them: streams, budget, and the day's calls`() async throws {
    let session = ClosureSession(RepeatedWeek.reply)
    try await withDesk(session: session) { desk in
      let file = desk.folder.appending(path: ".config/matinee/config.json")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let json =
        #"{"sync": {"only": ["daily"], "budget": 2}, "quota": {"callsPerDay": 6, "reservedCalls": 1}}"#
      try Data(json.utf8).write(to: file)
      let first = await desk.run("sync", "--format", "json")
      #expect(first.status == 75)
      #expect(try object(first.output)["stoppedBecause"] as? String == "budget")
      #expect(session.callCount == 2)
      // The option comes before the file; the quota, with one call kept for readers, ends it.
      let second = await desk.run("sync", "--budget", "100", "--format", "json")
      #expect(second.status == 75)
      #expect(try object(second.output)["stoppedBecause"] as? String == "quota")
      #expect(session.callCount == 5)
      let status = try object(await desk.run("status", "--format", "json").output)
      let quota = try #require((status["quotas"] as? [[String: Any]])?.first)
      #expect(quota["limit"] as? Int == 6)
      #expect(quota["used"] as? Int == 5)
      #expect(quota["left"] as? Int == 1)
    }
  }

  @Test func `a call is given the time that they allow`() async throws {
    let session = LimitedSession()
    try await withDesk(session: session) { desk in
      desk.environment["MATINEE_CALL_TIMEOUT"] = "2s"
      #expect(await desk.run("show", "2019-07-08").status == 0)
      #expect(session.totals.withLock { $0 } == [.seconds(2)])
    }
  }
}

/// Answers what was recorded, and keeps how long each call was allowed to take.
private final class LimitedSession: HTTPSession {
  let totals = LockedValue<[Duration]>([])

  func send(_ request: HTTPRequest, body: [UInt8], limits: TransportLimits) async throws -> HTTPReply {
    totals.withLock { $0.append(limits.total) }
    return try await PathSession().send(request, body: body, limits: limits)
  }
}
