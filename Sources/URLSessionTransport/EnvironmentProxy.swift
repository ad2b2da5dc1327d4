import HTTPTransport
import HTTPTypes

/// A proxy to which `URLSession` on Linux would hand requests in clear text, because the environment names it.
///
/// Its libcurl reads `http_proxy`, `all_proxy` and `ALL_PROXY` for plain http, and no configuration switches that off;
/// the request, key and all, goes to the proxy even if it is for 127.0.0.1. (`HTTP_PROXY` is not read, as a CGI
/// request's `Proxy` field would set it. Requests over https pass a proxy as a tunnel, and it sees no query.)
struct EnvironmentProxy: Hashable, Sendable {
  /// The variables that name a proxy for plain http.
  static let variables = ["http_proxy", "all_proxy", "ALL_PROXY"]

  /// The variable that names it. No more is kept, as an environment holds secrets.
  let variable: String

  /// Finds the proxy that `environment` names; `nil` if it names none, or an empty one.
  init?(_ environment: [String: String]) {
    guard let variable = Self.variables.first(where: { environment[$0]?.isEmpty == false }) else {
      return nil
    }
    self.variable = variable
  }

  /// Refuses `request` if it goes over plain http.
  func refuse(_ request: HTTPRequest, to destination: Destination) throws(TransportError) {
    guard destination.scheme == "http" else { return }
    throw TransportError(
      .invalidRequest, for: request,
      detail:
        "plain http would go through the proxy that the environment names (\(variable)); unset it or use https"
    )
  }
}
