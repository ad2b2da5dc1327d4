public import AsyncHTTPTransport
public import CatalogEngine
public import HTTPTransport
public import KOBIS
import KOBISRecorded

/// What a catalogue asks, and the session that carries the calls unless another is injected.
public struct CatalogSource: Sendable {
  let source: any MovieSource
  let makeSession: @Sendable () -> DefaultSession

  /// A session of the catalogue's own, and how to put it away.
  struct DefaultSession {
    var session: any HTTPSession
    var shutdown: @Sendable () async -> Void
  }

  /// KOBIS over https, or whatever speaks like it under another base.
  ///
  /// - Parameters:
  ///   - key: The key that kobis.or.kr issued; without one nothing is fetched, and reads are served from the store.
  ///   - base: Where to ask.
  ///   - transport: How the catalogue's own session speaks; plain http goes to loopback alone unless it says otherwise.
  public static func kobis(
    key: APIKey?, base: KOBISBase = .official,
    transport: AsyncHTTPSession.Configuration = AsyncHTTPSession.Configuration()
  ) -> CatalogSource {
    CatalogSource(source: KOBISSource(key: key, base: base)) {
      let session = AsyncHTTPSession(configuration: transport)
      return DefaultSession(session: session) { await session.shutdown() }
    }
  }

  /// KOBIS over https, with the key as text.
  ///
  /// - Throws: ``KOBISError`` of code `malformedKey`; the error does not hold the text.
  public static func kobis(key: String) throws(KOBISError) -> CatalogSource { .kobis(key: try APIKey(key)) }

  /// One recorded week of KOBIS, embedded in the program: no key, no network.
  ///
  /// What it answers is marked as recorded for good: it is never fresh to a live upstream, and never takes the place
  /// of live data.
  public static var recorded: CatalogSource {
    CatalogSource(source: KOBISSource(recorded: RecordedSession.recordedDays)) {
      DefaultSession(session: RecordedSession()) {}
    }
  }

  /// A source of your own, which needs its session injected where the catalogue is opened.
  ///
  /// - Parameters:
  ///   - source: The upstream's language.
  ///   - session: What carries the calls.
  public static func custom(_ source: any MovieSource, session: any HTTPSession) -> CatalogSource {
    CatalogSource(source: source) { DefaultSession(session: session) {} }
  }

  /// The same source, whose own session goes through `wrap`.
  package func wrappingSession(
    _ wrap: @escaping @Sendable (any HTTPSession) -> any HTTPSession
  ) -> CatalogSource {
    CatalogSource(source: source) {
      var own = makeSession()
      own.session = wrap(own.session)
      return own
    }
  }
}
