/// What one exchange may cost: its bounds in time and memory.
public struct TransportLimits: Hashable, Sendable {
  /// The longest the whole exchange may take, from the call to the last byte of the body.
  ///
  /// One deadline covers name resolution, connection, head **and** body, so that an upstream which drips a byte
  /// at a time cannot outlive it.
  public var total: Duration

  /// The longest that making the connection may take, TLS included.
  public var connect: Duration

  /// The most bytes a body may have on the wire.
  public var responseByteCountMax: Int

  /// The most bytes a body may have once its content coding is undone; the guard against a gzip bomb.
  public var decodedByteCountMax: Int

  /// Makes limits; each default is the one of ``default``.
  public init(
    total: Duration = .seconds(15), connect: Duration = .seconds(5),
    responseByteCountMax: Int = 4_194_304, decodedByteCountMax: Int = 16_777_216
  ) {
    self.total = total
    self.connect = connect
    self.responseByteCountMax = responseByteCountMax
    self.decodedByteCountMax = decodedByteCountMax
  }

  /// 15 s in all, 5 s to connect, 4 MiB on the wire, 16 MiB decoded.
  public static let `default` = TransportLimits()
}
