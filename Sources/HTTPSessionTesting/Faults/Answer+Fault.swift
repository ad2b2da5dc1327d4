extension Answer {
  /// A network's fault instead of a reply, as a transport reports it; the slow ones at the deadline.
  public static func fault(_ fault: Fault) -> Answer {
    var answer = Answer { request in throw fault.error(for: request) }
    answer.timing.awaitsDeadline = fault.isSlow
    return answer
  }
}
