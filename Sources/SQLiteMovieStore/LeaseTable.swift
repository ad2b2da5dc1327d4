import CatalogEngine
import SQLiteBinding

// The table `lease`: who is at work on what.

/// How long the row of a lease that ran out is kept, for its holder to find it current after all.
private let leaseKeptMax: Duration = .seconds(86_400)

extension Connection {
  func lease(_ name: String) throws(StoreError) -> Lease? {
    try firstRow(
      "SELECT holder, epoch, renewed_at, expires_at FROM lease WHERE name = ?1", [.text(name)]
    ) { row throws(SQLiteError) in
      Lease(
        name: name, holder: LeaseHolder(rawValue: try row.string(at: 0)), epoch: try row.int64(at: 1),
        renewedAt: Timestamp(millisecondsSinceEpoch: try row.int64(at: 2)),
        expiresAt: Timestamp(millisecondsSinceEpoch: try row.int64(at: 3)))
    }
  }

  func grantLease(_ request: LeaseRequest) throws(StoreError) -> LeaseGrant {
    if let other = try lease(request.name), other.holds(at: request.instant),
      other.epoch != request.dead?.epoch
    {
      return .held(other)
    }
    // A new row has a new epoch. What ran out long ago goes as well: somebody was killed and nobody came since.
    try write(
      "DELETE FROM lease WHERE name = ?1 OR expires_at < ?2",
      [.text(request.name), .instant(request.instant.advanced(by: .zero - leaseKeptMax))])
    let expiresAt = request.instant.advanced(by: request.duration)
    try write(
      "INSERT INTO lease (name, holder, renewed_at, expires_at) VALUES (?1, ?2, ?3, ?4)",
      [.text(request.name), .text(request.holder.rawValue), .instant(request.instant), .instant(expiresAt)])
    return .granted(
      Lease(
        name: request.name, holder: request.holder, epoch: lastInsertedRowID, renewedAt: request.instant,
        expiresAt: expiresAt))
  }

  /// Whether nobody has taken a lease over. One that has merely run out still guards what it was granted for.
  func isCurrent(_ lease: Lease) throws(StoreError) -> Bool {
    try self.lease(lease.name)?.epoch == lease.epoch
  }

  func renew(_ lease: Lease, at instant: Timestamp, for duration: Duration) throws(StoreError) -> Lease {
    var lease = lease
    lease.renewedAt = instant
    lease.expiresAt = instant.advanced(by: duration)
    try write(
      "UPDATE lease SET renewed_at = ?2, expires_at = ?3 WHERE epoch = ?1",
      [.integer(Int(lease.epoch)), .instant(lease.renewedAt), .instant(lease.expiresAt)])
    return lease
  }

  func endLease(_ lease: Lease) throws(StoreError) {
    try write("DELETE FROM lease WHERE epoch = ?1", [.integer(Int(lease.epoch))])
  }
}
