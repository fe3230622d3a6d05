import ValetModel

/// What `ListKeeper` asks its runner, `KeptList`, to do.
enum KeeperAction: Equatable {
    /// Publish the keeper's snapshot to the event loops; none if the list was put away. `drops`: it
    /// lacks arrangements or columns of the previous one, which may take long to free.
    case publish(drops: Bool)
    /// The arrangement is in the published snapshot, or failed.
    case answer(ticket: UInt64, ValetError?)
    /// Read columns in, then call `readingEnded`.
    case read(Reading)
    /// Arrange what `buildBegan` returns, then call `buildEnded`.
    case build(number: UInt64, for: WorkOwner)
    /// Bring what `catchUpBegan` returns up to date, then call `buildEnded` again, or
    /// `newcomerCaughtUp`.
    case catchUp(number: UInt64)
    /// Compact what `compactionBegan` returns, then call `compactionEnded`.
    case compact(number: UInt64)
    /// Add an owner to the work.
    case join(number: UInt64, WorkOwner)
    /// Remove an owner of the work.
    case leave(number: UInt64, WorkOwner)
    /// Cancel the work: nothing waits for its result any more.
    case cancel(number: UInt64)
    /// A changed list could not be reloaded: fail the requests that wait for newer rows.
    case fail(ValetError)

    struct Reading: Equatable {
        let number: UInt64
        let columns: [Int]
        /// False if the columns are added to the current snapshot's rows.
        let isWhole: Bool
        /// Whether it is one transaction, however long that takes.
        let isAtOnce: Bool
        let owner: WorkOwner
    }
}

/// The result of a reading.
enum ReadColumns {
    /// All rows as they were at one revision.
    case whole(ListLoader.Loaded)
    /// More columns for the snapshot's rows, as they were at its revision or a later one.
    case added(ListLoader.AddedColumns)

    var byteCount: Int {
        switch self {
        case .whole(let loaded): loaded.byteCount
        case .added(let added): added.byteCount
        }
    }
}
