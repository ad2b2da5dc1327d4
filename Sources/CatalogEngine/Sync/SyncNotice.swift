/// Something about a sync as a whole, told while it goes on.
public enum SyncNotice: Hashable, Sendable {
  /// Another sync is at work on the store, and has to end first.
  case waitingForOtherSync
  /// So many calls are due for a reason, as far as is known now; more may follow, as charts name new movies.
  case planned(SyncPlan.Reason, count: Int)
  /// So many answers in a row of one kind were of no use that no more of that kind are asked for in this sync.
  case gaveUp(ResourceID.Kind)
}
