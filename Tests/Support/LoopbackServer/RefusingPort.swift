#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A port of 127.0.0.1 that refuses connections for as long as this value lives.
///
/// The socket is bound and never listens: unlike a port that was merely free a moment ago, no one else can
/// take it.
package final class RefusingPort: Sendable {
  private let descriptor: Int32

  /// The port.
  package let port: Int

  /// Host and port, for a request's authority.
  package var authority: String { "127.0.0.1:\(port)" }

  /// Reserves a port.
  package init() {
    #if canImport(Glibc)
    let type = Int32(SOCK_STREAM.rawValue)
    #else
    let type = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, type, 0)
    // Lets a server of ours listen on the port while it is reserved; the system gives it to nobody else.
    var isReusable: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReusable, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
      }
    }
    precondition(isBound, "no port of 127.0.0.1 can be bound")
    self.descriptor = descriptor
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }
}
