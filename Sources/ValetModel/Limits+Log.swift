/// The log of a file, and that of a cluster.
extension Limits {
    /// Old values that the log keeps of one command. What exceeds them is cut, and the command
    /// can't be undone.
    package static let bytesPerLoggedCommand = 32 << 20
    /// Bytes of all rows that one command changes, before and after it, also by triggers and
    /// foreign keys; and of the commands that share an entry of the log, which is one value.
    package static let bytesPerEntry = 128 << 20
    /// Bytes of an entry in the log of a cluster.
    package static let bytesPerNodeEntry = 512 * 1_024 - 128
    /// The same without the names of tables whose highest row id has changed.
    package static let bytesOfNodeCommands = bytesPerNodeEntry - 64 * 1_024
    /// Bytes of all entries in the log, and the same while somebody has yet to take them.
    package static let bytesOfLog = 256 << 20
    package static let bytesOfLogForConsumers = 512 << 20
    package static let consumersOfLog = 16
    /// Bytes of entries that a replay puts into one transaction.
    package static let bytesPerReplay = 16 << 20

    // MARK: Clusters

    /// Between two looks of a node at its clock.
    package static let millisecondsPerNodeTick = 50
    /// Stations at other nodes of the cluster, whose presence is shown.
    package static let guestsOfOtherNodes = 4_096
    /// Between two reports of a node.
    package static let millisecondsPerNodeReport: Int64 = 1_000
    /// A node that has not had for so long what the leader has says that it is behind.
    package static let millisecondsUntilBehind: Int64 = 2_000
    /// Places of a cluster's log between two at which the nodes compare their files.
    package static let placesPerContentMark: UInt64 = 1_000
    /// So many times as long as a comparison has taken, no other is begun.
    package static let pausesPerContentReading = 20
    /// Between two looks at how full the log is.
    package static let millisecondsPerLogLook: Int64 = 10_000
    /// Bytes of a command on its way from node to node, with what says whose it is.
    package static let bytesPerForwardedCommand = bytesPerClientFrame + 4 * bytesPerName
    /// A command comes again after that.
    package static let millisecondsWithoutLeader = 100
    /// Blocks of a copy of the file, for a node that the log has left behind: with these a message
    /// is below what NATS takes.
    package static let blocksPerNodeAnswer = 16
    /// Such a copy is given back when nobody has asked for its blocks for so long.
    package static let secondsPerNodeCopy = 30
    /// Between two questions whether it is made.
    package static let millisecondsPerNodeCopyLook = 200
    /// After such a copy could not be had.
    package static let secondsBeforeNodeCopy = 2
    package static let bytesPerNodeCopy = 1 << 40
}
