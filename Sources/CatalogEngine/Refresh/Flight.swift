/// The way of one refresh: what is known of its resource, and what it has cost so far.
struct Flight {
  let resource: ResourceID
  let purpose: CallPurpose
  /// The resource's record when the refresh began.
  var stored: EntryRecord?
  /// What the call under way, or the last one, was made with, until it is settled.
  var ticket: CallTicket?
  /// How many calls were made.
  var callCount = 0
  /// How long calls and waits have taken.
  var elapsed = Duration.zero
  /// How long the upstream asked to be left alone, with its last answer.
  var retryAfter: Duration?

  /// How many of the calls were repetitions.
  var retryCount: Int { max(0, callCount - 1) }

  init(_ resource: ResourceID, for purpose: CallPurpose) {
    self.resource = resource
    self.purpose = purpose
  }
}

/// Why a refresh brought no answer.
package enum RefreshError: Error, Hashable, Sendable {
  /// The upstream, or the way to it, failed.
  case upstream(CatalogFailure)
  /// The store could not be read, or the call not be entered in its ledger.
  case store(StoreError)
  /// The sync that it was part of was taken over by another.
  case anotherSync
  /// The refresh was cancelled before it had an answer.
  case cancelled

  /// Whether it keeps a sync from a call and not a reader.
  var stopsSyncsAlone: Bool {
    switch self {
    case .anotherSync: true
    case .upstream(let failure): failure.code == .quota && failure.isRefusal
    case .store, .cancelled: false
    }
  }
}
