import Glibc

/// A regular file, read whole and within a bound.
enum RegularFile {
  /// Why a file is not read: what follows its name in a sentence.
  struct Refusal: Error, Hashable {
    var reason: String
  }

  /// The bytes of the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The file; a link is followed.
  ///   - byteCountMax: The most bytes it may have.
  ///   - objection: Looks at the file that was opened, whatever happens to its name meanwhile; a reason not to read it.
  static func bytes(
    at path: String, byteCountMax: Int, objection: (stat) -> String?
  ) throws(Refusal) -> [UInt8] {
    // A FIFO without a writer would have the command wait for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw Refusal(reason: "cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Refusal(reason: "is no regular file")
    }
    if let reason = objection(status) { throw Refusal(reason: reason) }
    var bytes = [UInt8](repeating: 0, count: byteCountMax + 1)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw Refusal(reason: "cannot be read: \(String(cString: strerror(errno)))") }
    guard count <= byteCountMax else { throw Refusal(reason: "is larger than \(byteCountMax) bytes") }
    return Array(bytes.prefix(count))
  }
}
