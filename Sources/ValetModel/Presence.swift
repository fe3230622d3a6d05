/// Where a person is, for others to see.
public struct Presence: Hashable, Sendable {
    /// The raw values are the protocol's.
    public enum Activity: UInt8, Sendable, CaseIterable {
        case looks = 0
        case edits = 1
    }

    /// Empty outside of all lists.
    public var list: String
    public var rowID: Int64?
    public var activity: Activity

    public init(list: String, rowID: Int64? = nil, activity: Activity = .looks) {
        self.list = list
        self.rowID = rowID
        self.activity = activity
    }
}
