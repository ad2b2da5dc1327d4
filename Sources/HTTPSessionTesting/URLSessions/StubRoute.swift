import HTTPTransport

/// Where the requests of one `URLSessionConfiguration` go.
///
/// The configuration owns it, and so do its copies, hence every `URLSession` made of it: the route lives as long
/// as anything can ask through it.
final class StubRoute: Sendable {
  let session: any HTTPSession
  let number: UInt64

  init(session: any HTTPSession) {
    self.session = session
    number = Self.directory.withLock { directory in
      directory.lastNumber += 1
      return directory.lastNumber
    }
    Self.directory.withLock { $0.routes[number] = WeakRoute(route: self) }
  }

  deinit {
    let number = number
    Self.directory.withLock { $0.routes[number] = nil }
  }

  /// The route of that number; `nil` if its configuration and sessions are gone.
  static func route(number: UInt64) -> StubRoute? {
    directory.withLock { $0.routes[number]?.route }
  }

  private struct WeakRoute: Sendable {
    weak let route: StubRoute?
  }

  private struct Directory {
    var lastNumber: UInt64 = 0
    var routes: [UInt64: WeakRoute] = [:]
  }

  /// The one thing that all configurations share: the way from a number to its route. A number is never used
  /// twice and an entry holds nothing alive, so no test sees another's.
  private static let directory = LockedValue(Directory())
}
