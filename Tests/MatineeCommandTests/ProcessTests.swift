import Foundation
import HTTPTransport
import HTTPTypes
import LoopbackServer
import Testing

@testable import MatineeCommand

/// The program itself, spawned, against a server on loopback.
@Suite struct `When the program runs by itself` {
  private func environment(_ desk: Desk, upstream: String) -> [String: String] {
    desk.environment.merging(["MATINEE_UPSTREAM": upstream]) { _, new in new }
  }

  /// The arguments of a sync of 30 days in 2019, and what it comes to.
  private static let month = [
    "sync", "--from", "2019-06-15", "--to", "2019-07-14", "--only", "daily,details",
  ]

  @Test func `SIGTERM in a sync ends it in good order with 75`() async throws {
    let gate = LoopbackServer.Gate()
    let arrived = LoopbackServer.Gate()
    try await withServer { request, _ in
      if request.path?.contains("targetDt=20190714") == true {
        return try await PathSession().send(request, body: [], limits: .default)
      }
      arrived.open()
      try await gate.wait()
      return HTTPReply(status: .notFound, text: "")
    } _: { server in
      try await withDesk { desk in
        let command = try SpawnedCommand(
          Self.month + ["--format", "ndjson"], environment: environment(desk, upstream: server.origin))
        let first = await command.readLines(count: 1)
        try await arrived.wait()
        let begin = ContinuousClock.now
        command.send(SIGTERM)
        let end = await command.finish()
        #expect(begin.duration(to: .now) < .seconds(5))
        #expect(end.status == 75)
        #expect(first.contains(#""outcome":"fetched""#))
        #expect(end.output.contains(#"{"summary":{"fetched":1,"#))
        #expect(end.output.contains(#""stoppedBecause":"cancelled""#))
        #expect(end.errors.contains("SIGTERM: stopping"))
        gate.open()
      }
    }
  }

  @Test func `a closed stdout ends it without a word`() async throws {
    let gate = LoopbackServer.Gate()
    let arrived = LoopbackServer.Gate()
    try await withServer { request, body in
      arrived.open()
      try await gate.wait()
      return try await PathSession().send(request, body: body, limits: .default)
    } _: { server in
      try await withDesk { desk in
        let command = try SpawnedCommand(
          ["show", "2019-07-08"], environment: environment(desk, upstream: server.origin))
        try await arrived.wait()
        command.closeOutput()
        gate.open()
        let end = await command.finish(readsOutput: false)
        #expect(end.status == 0)
        #expect(end.errors.isEmpty)
      }
    }
  }

  @Test(arguments: ["0", "20", "26", "-5", "39"])
  func `help is printed however narrow the terminal says it is`(columns: String) async throws {
    let environment = ["COLUMNS": columns]
    for arguments in [["help"], ["help", "sync"], ["export", "--help"]] {
      let help = try await SpawnedCommand(arguments, environment: environment).finish()
      #expect(help.status == 0)
      #expect(help.output.contains("USAGE:") && help.output.contains("OPTIONS:"))
    }
    let mistake = try await SpawnedCommand(["show", "--nonsense"], environment: environment).finish()
    #expect(mistake.status == 64)
    #expect(mistake.errors.contains("--nonsense"))
  }

  @Test func `descriptors that are closed are taken by nothing else`() async throws {
    let gate = LoopbackServer.Gate()
    let arrived = LoopbackServer.Gate()
    try await withServer { request, body in
      arrived.open()
      try await gate.wait()
      return try await PathSession().send(request, body: body, limits: .default)
    } _: { server in
      try await withDesk { desk in
        let variables = environment(desk, upstream: server.origin)
        func start(_ arguments: [String], closing closed: String) throws -> SpawnedCommand {
          try SpawnedCommand(
            ["-c", #"exec "$0" "$@" "# + closed, SpawnedCommand.program.path] + arguments,
            environment: variables, program: URL(filePath: "/bin/sh"))
        }
        let show = try start(["show", "2019-07-08"], closing: "<&- >&- 2>&-")
        try await arrived.wait()
        for descriptor in 0...2 {
          let file = try FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/\(show.id)/fd/\(descriptor)")
          #expect(file == "/dev/null")
        }
        gate.open()
        #expect(await show.finish().status == 74)
        let status = try await start(["status"], closing: ">&-").finish()
        #expect(status.status == 74)
        #expect(
          status.errors == "matinee: standard output cannot be written: Bad file descriptor\n")
      }
    }
  }

  @Test func `the key is in no argument, output, error, log or file, at the most verbose level`() async throws
  {
    let key = "canary-key-0123456789"
    let gate = LoopbackServer.Gate()
    let arrived = LoopbackServer.Gate()
    let mode = LockedValue(0)
    try await withServer { request, body in
      // The requests do carry it: what follows looks for something that is there.
      guard request.path?.contains("key=\(key)&") == true else {
        return HTTPReply(status: .badRequest, text: "")
      }
      switch mode.withLock({ $0 }) {
      case 0:
        arrived.open()
        try await gate.wait()
        return try await PathSession().send(request, body: body, limits: .default)
      // An upstream that repeats the key in its own words.
      case 1: return HTTPReply(text: #"{"faultInfo":{"message":"bad key \#(key)","errorCode":"320010"}}"#)
      case 2: return HTTPReply(text: "<html>\(key)</html>")
      case 3: return HTTPReply(text: #"{"boxOfficeResult":{"\#(key)":"\#(key)"}}"#)
      default: return HTTPReply(status: .serviceUnavailable, text: key)
      }
    } _: { server in
      try await withDesk { desk in
        desk.environment["KOBIS_API_KEY"] = key
        desk.environment["MATINEE_LOG_LEVEL"] = "trace"
        var told = ""
        func note(_ end: (status: Int32, output: String, errors: String)) { told += end.output + end.errors }

        let sync = try SpawnedCommand(
          Self.month + ["--budget", "5", "--format", "ndjson"],
          environment: environment(desk, upstream: server.origin))
        try await arrived.wait()
        told += String(
          decoding: try Data(contentsOf: URL(filePath: "/proc/\(sync.id)/cmdline")), as: UTF8.self)
        #expect(told.contains("--budget"))
        gate.open()
        note(await sync.finish())
        for number in 1...4 {
          mode.withLock { $0 = number }
          for arguments in [
            ["show", "2019-07-14", "--policy", "network-only"], ["movie", "20196309"],
            ["sync", "--days", "7", "--format", "json"], ["status"],
          ] {
            note(
              try await SpawnedCommand(arguments, environment: environment(desk, upstream: server.origin))
                .finish())
          }
        }
        let refusing = RefusingPort()
        for upstream in [
          "http://\(refusing.authority)", "http://\(refusing.authority)/?key=\(key)", "nonsense",
        ] {
          note(
            try await SpawnedCommand(
              ["show", "2019-07-14", "--policy", "network-only"],
              environment: environment(desk, upstream: upstream)
            ).finish())
        }
        // The loudest level had something to say, and the failures were told.
        #expect(told.contains(" debug ") && told.contains("keyRefused") && told.contains("undecodable"))
        #expect(!told.contains(key))
        let files = try FileManager.default.contentsOfDirectory(
          at: desk.folder, includingPropertiesForKeys: nil)
        #expect(files.count >= 2)
        for file in files where !file.hasDirectoryPath {
          #expect(try Data(contentsOf: file).range(of: Data(key.utf8)) == nil, "\(file.lastPathComponent)")
        }
      }
    }
  }
}
