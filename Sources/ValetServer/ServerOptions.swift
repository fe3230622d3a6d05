import ValetModel
import ValetStore

/// What a server is started with.
public struct ServerOptions: Sendable {
    public var path: String
    public var catalogPath: String?
    /// The file of those who may connect; nil for everyone.
    public var principalsPath: String?
    /// What those may do: a file in YAML; nil where their roles mean what is built in.
    public var accessPath: String?
    /// One life of the server: a number that no earlier life had.
    public var epoch: UInt64
    public var connectionLimit = Limits.connections
    /// Bytes that all lists may take in memory.
    public var memory = MachineMemory.share
    public var readerThreads = 2
    public var builderThreads = 2
    /// Why all commands are refused; nil if they are not.
    public var readOnlyReason: String?
    /// The program that loads lists from elsewhere.
    package var fetchProgram = FetchProcess.programOfThis
    package var refreshInterval = Duration.seconds(Limits.secondsBetweenRefreshes)
    /// The time for what is written: microseconds since 1970, UTC.
    package var clock: @Sendable () -> Int64 = WallClock.now
    /// nil for no backups but those that are asked for.
    public var backups: BackupPlan?
    /// nil for a file of its own, which is in no cluster.
    package var membership: ClusterMembership?
    package var timeouts = Timeouts()
    package var budgets = Budgets()

    public init(path: String, catalogPath: String? = nil, epoch: UInt64) {
        self.path = path
        self.catalogPath = catalogPath
        self.epoch = epoch
    }
}
