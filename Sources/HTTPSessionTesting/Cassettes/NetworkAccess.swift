/// Whether the doubles that go on to a real session may do so in this task.
public enum NetworkAccess {
  /// Whether recording is refused; set by the trait `.noNetwork`, and kept by each session that is made meanwhile.
  @TaskLocal public static var isForbidden = false
}
