/// The log of a file.
extension Limits {
    /// Old values that the log keeps of one command. What exceeds them is cut, and the command
    /// can't be undone.
    package static let bytesPerLoggedCommand = 32 << 20
    /// Bytes of all rows that one command changes, before and after it, also by triggers and
    /// foreign keys; and of the commands that share an entry of the log, which is one value.
    package static let bytesPerEntry = 128 << 20
    /// Bytes of all entries in the log, and the same while somebody has yet to take them.
    package static let bytesOfLog = 256 << 20
    package static let bytesOfLogForConsumers = 512 << 20
    package static let consumersOfLog = 16
    /// Bytes of entries that a replay puts into one transaction.
    package static let bytesPerReplay = 16 << 20
}
