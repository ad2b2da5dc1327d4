package import Glibc

/// A file that is written under a name of its own and then takes its place, whole or not at all.
///
/// The idea: whoever looks at the place sees what was there before or all of the new file, even if this process is
/// killed or the power fails. So the file is written beside its place, synced, moved there in one step, and its folder
/// is synced. A place that is taken stays as it is unless it is to be replaced, whoever took it and when: the step
/// itself fails (link(2) gives no name twice).
///
/// A process that is killed leaves the unfinished file behind. It is locked while somebody writes it, so the next one
/// who writes to the same place can tell that it is nobody's any more, and removes it.
///
/// Not `Sendable`: one thread at a time. Unless it was moved into place, the file is removed with the last reference.
package final class PendingFile {
  /// The place: an absolute path without links in its folders.
  package let target: String
  /// Where the file is while it is written.
  package let path: String
  /// The folder of both.
  package let folder: String
  private let descriptor: Int32
  private let replaces: Bool
  private var isPending = true

  /// What an unfinished file's name ends with, behind a point, its place's name and 16 hexadecimal digits.
  private static let suffix = ".partial"
  /// Bytes of its place's name that an unfinished file's name holds; a name has 255 at most.
  private static let nameByteCountMax = 200

  /// Makes the file beside its place.
  ///
  /// - Parameters:
  ///   - place: The path that the file is to have.
  ///   - permissions: Its mode, from which the umask is taken.
  ///   - replaces: Whether a file that is there already is to be replaced.
  /// - Throws: `exists`, `noFile`, or why nothing can be made in the folder.
  package init(for place: String, permissions: mode_t, replaces: Bool) throws(FileError) {
    let (folder, name) = try Self.resolve(place)
    self.folder = folder
    self.replaces = replaces
    target = folder == "/" ? "/" + name : folder + "/" + name
    try Self.checkPlace(target, replaces: replaces)
    let prefix = "." + String(decoding: name.utf8.prefix(Self.nameByteCountMax), as: UTF8.self) + "-"
    Self.removeAbandoned(in: folder, prefix: prefix)
    (path, descriptor) = try Self.make(in: folder, prefix: prefix, permissions: permissions)
  }

  deinit {
    discard()
    // Closing alone would leave the lock with a child that is between fork and exec.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Bytes that the file system has left for this user.
  package var availableByteCount: Int64 {
    var status = statvfs()
    guard fstatvfs(descriptor, &status) == 0 else { return .max }
    let product = Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: Int64(status.f_frsize))
    return product.overflow ? .max : product.partialValue
  }

  /// Bytes the file has now.
  package var byteCount: Int64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Writes all of `bytes` at the end.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    var writtenCount = 0
    while writtenCount < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress?.advanced(by: writtenCount), bytes.count - writtenCount)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileError(system: errno, "cannot write \(path)") }
      writtenCount += count
    }
  }

  /// Brings the file to the disk and into its place; then its name is there for good, too.
  ///
  /// - Throws: `exists` if the place was taken in the meantime; or why the disk could not be relied on.
  package func moveIntoPlace() throws(FileError) {
    precondition(isPending, "a file takes its place once")
    guard fsync(descriptor) == 0 else { throw FileError(system: errno, "cannot bring \(path) to the disk") }
    if replaces {
      try Self.checkPlace(target, replaces: true)
      guard rename(path, target) == 0 else { throw FileError(system: errno, "cannot replace \(target)") }
    } else if link(path, target) == 0 {
      unlink(path)
    } else {
      guard errno != EEXIST else { throw Self.taken(target) }
      try moveWithoutLink()
    }
    isPending = false
    try Self.syncFolder(folder)
  }

  /// Removes the file, unless it has taken its place.
  package func discard() {
    if isPending { unlink(path) }
    isPending = false
  }
}

extension PendingFile {
  /// Takes the place where the file system has no hard links (FAT, some network file systems): with an empty file,
  /// which only one can make, and which is then replaced.
  private func moveWithoutLink() throws(FileError) {
    let reserved = open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard reserved >= 0 else {
      throw errno == EEXIST ? Self.taken(target) : FileError(system: errno, "cannot make \(target)")
    }
    close(reserved)
    guard rename(path, target) == 0 else {
      let number = errno
      unlink(target)
      throw FileError(system: number, "cannot move \(path) to \(target)")
    }
  }

  private static func resolve(_ place: String) throws(FileError) -> (folder: String, name: String) {
    // A NUL would end the path early in C, and so name another file.
    guard !place.utf8.contains(0), !place.hasSuffix("/"),
      let name = place.split(separator: "/").last.map(String.init), name != ".", name != ".."
    else { throw FileError(.noFile, "'\(place)' names no file") }
    let parent = place.utf8.count == name.utf8.count ? "." : String(place.dropLast(name.count))
    guard let resolved = realpath(parent, nil) else {
      throw FileError(system: errno, "cannot reach the folder \(parent)")
    }
    defer { free(resolved) }
    return (String(cString: resolved), name)
  }

  /// Refuses a place that cannot be taken, before anything is written.
  private static func checkPlace(_ target: String, replaces: Bool) throws(FileError) {
    var status = stat()
    guard lstat(target, &status) == 0 else {
      if errno == ENOENT { return }
      throw FileError(system: errno, "cannot look at \(target)")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      guard replaces else { throw taken(target) }
    case S_IFDIR: throw FileError(.noFile, "\(target) is a folder; name a file in it")
    case S_IFLNK: throw FileError(.noFile, "\(target) is a symbolic link; name the file that it points to")
    default: throw FileError(.noFile, "\(target) is no regular file")
    }
  }

  private static func taken(_ target: String) -> FileError {
    FileError(.exists, "\(target) exists already, and is left as it is")
  }

  private static func make(
    in folder: String, prefix: String, permissions: mode_t
  ) throws(FileError) -> (path: String, descriptor: Int32) {
    while true {
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      let name = prefix + String(repeating: "0", count: 16 - digits.count) + digits + suffix
      let path = folder == "/" ? "/" + name : folder + "/" + name
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions)
      guard descriptor >= 0 else {
        if errno == EEXIST { continue }
        throw FileError(system: errno, "cannot make a file in \(folder)")
      }
      // Another may take it for abandoned, and remove it, in the moment before it is locked.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isAtPath(descriptor, path) { return (path, descriptor) }
      close(descriptor)
    }
  }

  private static func isAtPath(_ descriptor: Int32, _ path: String) -> Bool {
    var held = stat()
    var named = stat()
    return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0
      && held.st_ino == named.st_ino && held.st_dev == named.st_dev
  }

  private static func syncFolder(_ folder: String) throws(FileError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(system: errno, "cannot open \(folder) to sync it") }
    defer { close(descriptor) }
    // Some file systems know no such thing, and say so.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw FileError(system: errno, "cannot bring the folder \(folder) to the disk")
    }
  }
}

extension PendingFile {
  /// Removes what writers that were killed have left for the same place; what cannot be removed stays.
  private static func removeAbandoned(in folder: String, prefix: String) {
    guard let entries = opendir(folder) else { return }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
      guard name.hasPrefix(prefix), name.hasSuffix(suffix), digits.utf8.count == 16,
        digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
      else { continue }
      removeIfAbandoned(folder + "/" + name)
    }
  }

  private static func removeIfAbandoned(_ path: String) {
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid()
    else { return }
    // Whoever writes it has the lock, and loses it only with its process.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    if isAtPath(descriptor, path) { unlink(path) }
    flock(descriptor, LOCK_UN)
  }
}
