/// The schema's history: every step from an empty file to the newest schema, embedded in the program.
///
/// Steps only ever go forward, and one that was released is never edited.
package enum MovieMigrations {
  /// One step: the SQL that takes the schema from `version - 1` to `version`.
  package struct Step: Sendable {
    /// The schema's version after the step, from 1 without gaps.
    package let version: Int
    /// The name of the file it comes from.
    package let name: String
    /// The file's statements.
    package let sql: String
  }

  /// The steps by ascending version.
  package static var steps: [Step] {
    [
      Step(version: 1, name: "0001-initial.sql", sql: text(PackageResources._001_initial_sql)),
      Step(
        version: 2, name: "0002-quota-breaker-lease.sql",
        sql: text(PackageResources._002_quota_breaker_lease_sql)),
      Step(
        version: 3, name: "0003-lists-codes-changes.sql",
        sql: text(PackageResources._003_lists_codes_changes_sql)),
    ]
  }

  /// What marks a database file as this project's: `MTNE` in the header's `application_id`
  /// (https://sqlite.org/pragma.html#pragma_application_id).
  package static let applicationID: Int32 = 0x4D54_4E45

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
