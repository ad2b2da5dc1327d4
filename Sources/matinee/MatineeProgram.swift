import CatalogEngine
import Glibc
import MatineeCommand

/// The process around the command: arguments, environment, descriptors and signals.
@main
enum MatineeProgram {
  static func main() async {
    takeClosedDescriptors()
    widenNarrowTerminal()
    // A reader that has gone is an error of a write, not a sudden death.
    signal(SIGPIPE, SIG_IGN)
    // The key is in this process's memory: a crash must not leave it on a disk.
    var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
    let signals = ProcessSignals()
    let runner = CommandRunner(
      Surroundings(
        environment: environment(), clock: SystemClock(), plausibleTimes: ClockRule.plausibleTimes,
        standardOutput: FileDescriptorOutput(STDOUT_FILENO),
        standardError: FileDescriptorOutput(STDERR_FILENO),
        outputTerminal: Terminal(descriptor: STDOUT_FILENO),
        errorTerminal: Terminal(descriptor: STDERR_FILENO),
        interruptions: { signals.interruptions() }))
    exit(await runner.run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Puts nothing in the place of stdin, stdout and stderr where they are closed.
  ///
  /// The next file or socket to be opened would get such a number, and be sent what is printed. For reading alone, so
  /// that printing fails as it does to a closed one.
  private static func takeClosedDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free is given.
      guard open("/dev/null", O_RDONLY) == descriptor else { exit(ExitStatus.storage.rawValue) }
    }
  }

  /// Has the parser take a narrow terminal for a wider one: to know what an error comes to, it renders the help text for
  /// `COLUMNS` or the width that it finds by itself.
  private static func widenNarrowTerminal() {
    let asked = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
    let least = CommandRunner.helpColumnCounts.lowerBound
    guard let width = asked ?? Terminal(descriptor: STDOUT_FILENO)?.columnCount, width < least else { return }
    setenv("COLUMNS", String(least), 1)
  }

  /// The environment's variables; of one that is set twice, the first.
  private static func environment() -> [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] =
          variables[String(text[..<equals])] ?? String(text[text.index(after: equals)...])
      }
      next += 1
    }
    return variables
  }
}
