/// Who waits for the answer: the same fault reaches different clients as different errors, and some faults that
/// URLSession tells apart are one `TransportError`.
enum ClientKind: Sendable {
  case transport
  case urlSession

  @TaskLocal static var current: ClientKind = .transport
}
