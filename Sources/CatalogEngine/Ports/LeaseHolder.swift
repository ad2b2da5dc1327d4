import Glibc

/// Who holds a lease: a random name, and the process it lives in.
///
/// The process is told by its number, its start and the space in which the number means something (the machine's boot
/// and the process namespace), so that a lease of a process that was killed need not be waited for: whoever meets it
/// and shares that space sees that the process is gone. From another machine or container nothing is concluded, and
/// the lease is waited for. Being wrong would cost a call and no data, as the epoch still guards every write.
public struct LeaseHolder: RawRepresentable, Hashable, Sendable {
  /// The random name, the process number, its start and its space, parted by blanks.
  public let rawValue: String

  /// Makes a holder from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes a new holder in this process.
  public init() {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    let name = String(repeating: "0", count: 16 - digits.count) + digits
    let process = getpid()
    rawValue = "\(name) \(process) \(Self.start(ofProcess: process) ?? "unknown") \(Self.space)"
  }

  /// Whether the holder's process is known to have ended.
  public var isKnownDead: Bool {
    let parts = rawValue.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[2] != "unknown", parts[3] == Self.space, !parts[3].contains("unknown"),
      let process = Int32(parts[1]), process > 0
    else { return false }
    if let start = Self.start(ofProcess: process) { return start != parts[2] }
    // No such file, and not merely none that may be read.
    return kill(process, 0) != 0 && errno == ESRCH
  }

  /// The machine's boot and the process namespace.
  private static var space: String {
    let boot = text(of: "/proc/sys/kernel/random/boot_id")?.prefix { $0 != "\n" } ?? "unknown"
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { readlink("/proc/self/ns/pid", $0, text.count) } ?? -1
      }
    }
    return "\(boot)/" + (count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : "unknown")
  }

  /// When a process started, in the kernel's ticks since the boot; `nil` if there is none, or only what is left of one.
  ///
  /// The 22nd field of `/proc/<pid>/stat` (proc(5)). The second is the program's name in parentheses and may hold
  /// anything, so the fields are counted from the last parenthesis on.
  private static func start(ofProcess process: Int32) -> String? {
    guard let stat = text(of: "/proc/\(process)/stat"), let end = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[stat.index(after: end)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
    return String(fields[19])
  }

  private static func text(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
  }
}
