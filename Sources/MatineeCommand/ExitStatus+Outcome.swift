import CatalogEngine
import HTTPTransport
import KOBISRecorded

extension ExitStatus {
  /// What a read comes to that has no answer at all because of `failure`.
  init(_ failure: CatalogFailure) {
    switch failure.code {
    case .notStored: self = .notStored
    // With a detail, it is the upstream that failed to bring something younger.
    case .tooOld: self = failure.detail == nil ? .notStored : .unavailable
    case .keyMissing: self = .configuration
    case .keyRefused: self = .keyRefused
    case .fault where failure.isUnknownCode: self = .notStored
    case .transport where failure.detail == RecordedSession.notRecorded.rawValue: self = .notStored
    default: self = .unavailable
    }
  }

  /// What a sync comes to.
  init(_ report: SyncReport) {
    let succeededCount = report.fetchedCount + report.unchangedCount + report.revisedCount
    switch report.stoppedBecause {
    case .keyMissing?: self = .configuration
    case .keyRefused?: self = .keyRefused
    case .storage?: self = .storage
    case .budget?, .quota?, .cancelled?, .anotherSync?: self = .stoppedEarly
    default:
      if report.failedCount == 0 && report.stoppedBecause == nil {
        self = .done
      } else {
        self = succeededCount > 0 ? .stoppedEarly : .unavailable
      }
    }
  }
}
