import ArgumentParser
import CatalogEngine
import Glibc
import KOBIS
import Logging
import MatineeTesting

/// The command `matinee-simulator`: a KOBIS of one's own on a port, to try a whole service offline.
@main
struct SimulatorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matinee-simulator",
    abstract: "Serve an invented KOBIS on a port of this machine.",
    discussion: """
      All nine services answer. Charts, movies, people and companies are invented, and the same for a seed. Keys \
      are checked, calls counted and faults answered as KOBIS does. It is for tests: anybody who reaches the port \
      may ask it.

      EXAMPLE
        matinee-simulator --port 8080 --key demo &
        curl 'http://127.0.0.1:8080/boxoffice/searchDailyBoxOfficeList.json?key=demo&targetDt=20240601'
      """)

  @Option(help: ArgumentHelp("The port to listen on; 0 for any free one.", valueName: "N"))
  var port: Int

  @Option(help: ArgumentHelp("The address to listen on.", valueName: "ADDRESS"))
  var host = "127.0.0.1"

  @Option(help: ArgumentHelp("The one key that is taken; any is, and none, if not given.", valueName: "KEY"))
  var key: String?

  @Option(help: ArgumentHelp("The calls that are granted in a Korean day.", valueName: "N"))
  var quota = KOBISSimulator.callsPerDayDefault

  @Option(help: ArgumentHelp("What the charts and movies are drawn from.", valueName: "N"))
  var seed: UInt64 = 1

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port \(port) is no port; give a number from 0 to 65535")
    }
    guard quota >= 0 else { throw ValidationError("--quota \(quota) is negative; give 0 or more calls") }
    do throws(KOBISError) { _ = try key.map { text throws(KOBISError) in try APIKey(text) } } catch {
      throw ValidationError("--key: \(error.detail)")
    }
  }

  func run() async throws {
    let clock = SystemClock()
    let simulator = KOBISSimulator(
      seed: seed, key: try key.map { try APIKey($0) }, callsPerDayMax: quota, now: { clock.wallTime })
    let server = SimulatorServer(simulator: simulator, logger: Logger(label: "matinee-simulator"))
    try await server.run(host: host, port: port) { port in
      print(
        "KOBIS simulator on http://\(host):\(port)/, charts from \(KOBISSource.firstDay) to yesterday in Korea"
      )
      // Whoever waits for the line reads a pipe, into which standard output is written only when it is full.
      fflush(nil)
    }
  }
}
