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
    let text = ProcessText(
      arguments: Array(words(CommandLine.unsafeArgv).dropFirst()), environment: words(environ))
    let signals = ProcessSignals()
    let runner = CommandRunner(
      Surroundings(
        environment: text.environment, clock: SystemClock(), plausibleTimes: ClockRule.plausibleTimes,
        standardOutput: FileDescriptorOutput(STDOUT_FILENO),
        standardError: FileDescriptorOutput(STDERR_FILENO),
        outputTerminal: Terminal(descriptor: STDOUT_FILENO),
        errorTerminal: Terminal(descriptor: STDERR_FILENO),
        interruptions: { signals.interruptions() }))
    exit(await runner.run(text))
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

  /// The words of a list as the system gives it, which ends with a null.
  private static func words(_ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var next = list
    while let word = next.pointee {
      words.append(Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
      next += 1
    }
    return words
  }
}
