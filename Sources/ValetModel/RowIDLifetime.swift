/// For how long a row id means the same row. The raw values are the protocol's.
public enum RowIDLifetime: UInt8, Comparable, Sendable {
    /// In a view, ids are places: they mean something in the revision alone in which they came.
    case revision = 0
    /// A VACUUM may give other ids, and ends the epoch.
    case epoch = 1
    /// The id is stored with the row: the INTEGER PRIMARY KEY.
    case row = 2

    public static func < (one: RowIDLifetime, other: RowIDLifetime) -> Bool {
        one.rawValue < other.rawValue
    }
}

extension ListDescription {
    /// Whether columns and row ids of an epoch mean the same in this one.
    package func goesOn(since epoch: UInt64) -> Bool {
        epoch != 0 && (epoch == self.epoch || earlierEpochs.contains(epoch))
    }
}
