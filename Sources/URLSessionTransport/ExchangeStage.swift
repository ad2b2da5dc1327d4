/// How far an exchange had come when it failed.
enum ExchangeStage {
  /// No telling: a completion handler gets no response with an error.
  case unknown
  case beforeHead
  case body
  /// In the body, with fewer bytes than announced.
  case bodyShort
}
