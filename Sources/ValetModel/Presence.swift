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

/// The presence of another connection.
public struct StationPresence: Hashable, Sendable {
    /// Names the connection for as long as it lasts.
    public var connection: UInt32
    public var station: String
    public var presence: Presence

    public init(connection: UInt32, station: String, presence: Presence) {
        self.connection = connection
        self.station = station
        self.presence = presence
    }
}
