import ArgumentParser
import Testing

@testable import matinee_simulator

@Suite struct `When the simulator's command is read` {
  @Test func `a port is enough`() throws {
    let command = try SimulatorCommand.parse(["--port", "8080"])
    #expect(command.port == 8080)
    #expect(command.host == "127.0.0.1")
    #expect(command.key == nil)
    #expect(command.quota == 3000)
  }

  @Test(arguments: [
    [], ["--port", "65536"], ["--port", "-1"], ["--port", "http"], ["--port", "1", "--quota", "-1"],
    ["--port", "1", "--key", "two words"], ["--port", "1", "--key", ""], ["--port", "1", "--seed", "-1"],
  ])
  func `bad arguments are refused`(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try SimulatorCommand.parse(arguments) }
  }

  @Test func `a refused key is not repeated`() {
    let error = #expect(throws: (any Error).self) {
      try SimulatorCommand.parse(["--port", "1", "--key", "canary key"])
    }
    #expect(error.map { SimulatorCommand.message(for: $0) }?.contains("canary key") == false)
  }
}
