import CatalogEngine

/// Whether the upstream can be reached and takes the key: one call, and only if it was asked for.
enum UpstreamCheck {
  /// What came of the call.
  enum Outcome: Hashable, Sendable {
    /// A whole answer came, and is stored.
    case answered
    /// None came, or none that is of use.
    case failed(CatalogFailure)
    /// The store could not enter the call, and none was made.
    case unaccountable(StoreError)
  }

  /// How far the machine's clock may be from the server's before ages and days are no longer to be relied on.
  static let clockLeadMax: Duration = .seconds(300)
  /// Differences below it are those of a date that is told in seconds.
  static let clockLeadTold: Duration = .seconds(2)

  /// What a call came to.
  ///
  /// - Parameters:
  ///   - upstream: The upstream in a sentence.
  ///   - address: Where it is asked.
  ///   - exchange: The call; `nil` if none was made.
  static func result(
    _ outcome: Outcome, exchange: SessionWitness.Exchange?, upstream: String, address: String
  ) -> CheckResult {
    switch outcome {
    case .answered: return answered(exchange, upstream)
    case .failed(let failure): return failed(failure, exchange, upstream, address)
    case .unaccountable(let error):
      return .problem(
        .upstream, "\(upstream) was not asked, as the call could not be entered in the database: \(error)",
        remedy: "put the database right first: `matinee doctor`", status: .storage)
    }
  }

  private static func answered(_ exchange: SessionWitness.Exchange?, _ upstream: String) -> CheckResult {
    guard let exchange else {
      return .ok(.upstream, "\(upstream) was not asked, as another process had just fetched the answer")
    }
    let found = "\(upstream) answered in \(milliseconds(exchange)), and took the key"
    guard let lead = exchange.clockLead else { return .ok(.upstream, found) }
    let size = lead < .zero ? .zero - lead : lead
    if size < clockLeadTold { return .ok(.upstream, found + "; its clock and this machine's agree") }
    let difference =
      "; this machine's clock is \(size.spoken) \(lead < .zero ? "behind" : "ahead of") that of the server"
    guard size > clockLeadMax else { return .ok(.upstream, found + difference) }
    return .warning(
      .upstream, found + difference,
      remedy: "set the clock: `timedatectl set-ntp true` where there is systemd")
  }

  private static func failed(
    _ failure: CatalogFailure, _ exchange: SessionWitness.Exchange?, _ upstream: String, _ address: String
  ) -> CheckResult {
    guard let exchange else {
      let until = failure.nextAttemptAt.map { " before \($0.shownInKorea) in Korea" } ?? ""
      return .skipped(.upstream, "no call was made\(until): \(failure)", remedy: "wait, and try again")
    }
    switch failure.code {
    case .keyRefused:
      return .problem(
        .upstream,
        "\(upstream) answered in \(milliseconds(exchange)), and refused the key: \(failure.message)",
        remedy: "see at kobis.or.kr whether the key holds, and put the one that does in its place; `matinee "
          + "config` tells where it is taken from",
        status: .keyRefused)
    case .quota:
      return .warning(
        .upstream,
        "\(upstream) answered in \(milliseconds(exchange)), and says that the day's calls are used up",
        remedy: "wait for the next day in Korea; `matinee status` tells when it begins for the upstream")
    default:
      return .problem(
        .upstream,
        "\(upstream) was asked for \(milliseconds(exchange)), and gave no answer of use: \(failure)",
        remedy: remedy(for: failure.code, at: address), status: ExitStatus(failure))
    }
  }

  private static func remedy(for code: CatalogFailure.Code, at address: String) -> String {
    switch code {
    case .offline, .transport, .timeout:
      "see whether it can be reached from here at all (`curl -sS -o /dev/null \(address.shellWord)`), and what "
        + "is in the way: the network, its name service, a proxy, a firewall"
    case .undecodable, .tooLarge, .implausible:
      "see that --upstream is KOBIS's REST base (`matinee config`); if it is, wait, and try again"
    default:
      "wait, and try again: `matinee doctor --online`"
    }
  }

  private static func milliseconds(_ exchange: SessionWitness.Exchange) -> String {
    "\(exchange.elapsed.wholeMilliseconds.grouped) ms"
  }
}
