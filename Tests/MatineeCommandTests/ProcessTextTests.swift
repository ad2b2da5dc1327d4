import Foundation
import Testing

@testable import MatineeCommand

@Suite struct `What the system gives a process` {
  private func text(_ arguments: [String] = [], _ environment: [[UInt8]] = []) -> ProcessText {
    ProcessText(arguments: arguments.map { Array($0.utf8) }, environment: environment)
  }

  @Test func `is taken as text, and of a variable that is set twice the first`() {
    let text = text(
      ["show", "어벤져스", ""], ["A=1", "B=", "A=2", "C=x=y", "no sign", "=odd"].map { Array($0.utf8) })
    #expect(text.arguments == ["show", "어벤져스", ""])
    #expect(text.environment == ["A": "1", "B": "", "C": "x=y", "": "odd"])
    #expect(text.refusal == nil)
  }

  @Test func `is refused where an argument is not UTF-8, by its place`() {
    let text = ProcessText(arguments: [Array("backup".utf8), [0x80] + Array(".keep".utf8)], environment: [])
    #expect(text.refusal?.status == .usage)
    #expect(text.refusal?.message == "argument 2 is not UTF-8")
  }

  @Test(arguments: ["MATINEE_DATABASE", "KOBIS_API_KEY", "HOME", "STATE_DIRECTORY"])
  func `is refused where a variable that is read is not UTF-8, without its value`(name: String) {
    let text = text([], [Array("\(name)=/tmp/".utf8) + [0xFE] + Array("secret".utf8)])
    #expect(text.refusal?.status == .configuration)
    #expect(text.refusal?.message == "the environment's \(name) is not UTF-8")
  }

  @Test func `may hold anything in a variable that nobody reads`() {
    #expect(text([], [Array("LESS_TERMCAP=".utf8) + [0xFE]]).refusal == nil)
  }

  @Test func `makes and replaces no file under a repaired name`() async throws {
    try await withRecordedWeek { desk in
      try desk.write("precious", to: "\u{FFFD}.keep")
      let script = #"exec "$0" backup --force "$1/$(printf '\200').keep""#
      let end = try await SpawnedCommand(
        ["-c", script, SpawnedCommand.program.path, desk.folder.path], environment: desk.environment,
        program: .init(filePath: "/bin/sh")
      ).finish()
      #expect(end.status == 64)
      #expect(end.errors == "matinee: argument 3 is not UTF-8\n")
      #expect(try String(contentsOfFile: desk.path("\u{FFFD}.keep"), encoding: .utf8) == "precious")
    }
  }
}
