/// A server's statistics as named numbers, so that versions can add and drop entries.
public struct ServerStatistics: Hashable, Sendable {
    /// The names that this version knows; PROTOCOL.md defines them.
    public enum Name: String, CaseIterable, Sendable {
        case uptimeSeconds
        case residentBytes
        case peakResidentBytes
        case connections
        case mostConnections
        case connectionLimit
        case views
        case unreadBytes
        case lists
        case listsReadIn
        case rowsReadIn
        case columnBytes
        case orders
        case orderBytes
        case searches
        case searchBytes
        case idleArrangements
        case idleBytes
        case idleBudgetBytes
        case memoryBytes
        case memoryBudgetBytes
        case searchesRun
        case searchesCancelled
        case buildsWaiting
        case pagesKept
        case pageBytes
        case pageBudgetBytes
        case pagesRead
    }

    public struct Entry: Hashable, Sendable {
        public var name: String
        /// Not negative.
        public var value: Int

        public init(name: String, value: Int) {
            self.name = name
            self.value = value
        }
    }

    /// In reading order; each name occurs once.
    public private(set) var entries: [Entry] = []

    public init() {}

    public init(entries: [Entry]) {
        self.entries = entries
    }

    public subscript(name: Name) -> Int? {
        entries.first { $0.name == name.rawValue }?.value
    }

    package mutating func add(_ name: Name, _ value: Int) {
        entries.append(Entry(name: name.rawValue, value: max(0, value)))
    }
}
