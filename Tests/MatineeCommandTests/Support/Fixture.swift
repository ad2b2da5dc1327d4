import CatalogEngine
import Foundation
import HTTPTransport
import HTTPTypes
import KOBIS

/// Files of the project that tests read.
enum Fixture {
  /// The package's folder.
  static let packageFolder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The bytes of a file in `Fixtures/answers`.
  static func body(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: packageFolder.appending(path: "Fixtures/answers/\(name)")))
  }

  /// The text of a file of the project.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: packageFolder.appending(path: path), encoding: .utf8)
  }
}

/// A working upstream for any days: the charts of the recorded week, moved to the day that is asked for.
enum RepeatedWeek {
  /// The days of the recorded week, Monday first.
  private static let monday = CalendarDay(daysSinceEpoch: 18_085)

  /// The answer to a call: a day's chart is that of the recorded day of the same weekday.
  static func reply(to call: KOBISCall) async throws -> HTTPReply {
    guard call.service == .dailyBoxOffice, let text = call["targetDt"], let day = CalendarDay(text) else {
      return try await ClosureSession.recorded(call)
    }
    let offset = (monday.days(until: day) % 7 + 7) % 7
    let recorded = monday.advanced(by: offset).basicFormat
    var reply = try await ClosureSession.recorded(
      KOBISCall(.dailyBoxOffice, [.init("targetDt", recorded)]))
    let body = String(decoding: reply.body, as: UTF8.self)
      .replacing("\(recorded)~\(recorded)", with: "\(text)~\(text)")
    reply.body = Array(body.utf8)
    return reply
  }
}
