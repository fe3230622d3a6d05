import Logging

/// What all loops of a server share: the catalogs, the lists, the page cache, and the reader
/// threads.
struct SharedServices: Sendable {
    let catalogs: ServedCatalogs
    /// nil if everyone may connect.
    let authenticator: Authenticator?
    let access: WriteAccess
    /// Page numbers and revisions are comparable only within an epoch.
    let epoch: UInt64
    /// The epochs whose commands mean the same in this one.
    let validEpochs: Set<UInt64>
    let name: String
    let lists: [KeptList]
    let publisher: Publisher
    let counter: RowCounter
    let pages: PageCache
    let pins = Pins()
    let presence: PresenceBoard
    let log: LogBoard
    let statistics: StatisticsCollector
    let backups: Backups
    /// For pages and details: short reads that a person waits for.
    let readers: ReaderPool
    /// For loading, sorting, searching and counting.
    let builders: ReaderPool
    /// For lists that must be copied first, which may take a minute and must not delay the others.
    let copiers: ReaderPool
    /// nil if the file is served for reading only.
    let writer: FileWriter?
    /// nil if no list is loaded from elsewhere, or the file is served for reading only.
    let refresher: Refresher?
    let lastLightUse = LastLightUse()
    let logger: Logger

    /// The newest snapshots of all lists.
    var publications: Publications { publisher.publications }

    /// A client waits for nothing any more.
    func left(_ owner: WorkOwner) {
        for pool in [readers, builders, copiers] { pool.left(owner) }
    }
}
