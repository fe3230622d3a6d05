import ValetArrangement
import ValetModel

/// What a list's keeper asks of whoever runs it.
enum KeeperAction: Equatable {
    /// The keeper's snapshot is newer than what the event loops have. `drops` says that
    /// arrangements of the one before are gone: freeing them may take long.
    case publish(drops: Bool)
    /// The arrangement is in the published snapshot, or can't be had.
    case answer(ticket: UInt64, ValetError?)
    /// Read columns in; `readingEnded` answers.
    case read(Reading)
    /// Arrange; `buildBegan` says from what, and `buildEnded` answers.
    case build(number: UInt64, for: WorkOwner)
    /// Bring a build up to the newest snapshot; `buildEnded` answers again.
    case catchUp(number: UInt64)
    /// One more waits for the work.
    case join(number: UInt64, WorkOwner)
    /// One less waits for the work.
    case leave(number: UInt64, WorkOwner)
    /// Nobody waits for the work; its result is not wanted any more.
    case cancel(number: UInt64)
    /// The list could not be read in anew: whoever waits for newer rows waits in vain.
    case fail(ValetError)
    /// Columns of so many bytes are not needed any more.
    case freeColumns(byteCount: Int)

    struct Reading: Equatable {
        let number: UInt64
        let columns: [Int]
        /// False for more columns of the rows that are there.
        let isWhole: Bool
        let owner: WorkOwner
    }
}

/// What a reading brought.
enum ReadColumns {
    /// All rows as they were at one revision.
    case whole(ListLoader.Loaded)
    /// More columns for the rows that were there; nil when the file had another revision by then.
    case added(ListLoader.AddedColumns?)
}
