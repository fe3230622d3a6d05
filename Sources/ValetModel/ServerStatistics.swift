/// A server's statistics as named numbers, so that versions can add and drop entries.
public struct ServerStatistics: Hashable, Sendable {
    /// The names that this version knows; PROTOCOL.md defines them.
    public enum Name: String, CaseIterable, Sendable {
        case uptimeSeconds, residentBytes, peakResidentBytes
        case connections, mostConnections, connectionLimit, views, unreadBytes
        case lists, listsReadIn, rowsReadIn, columnBytes
        case orders, orderBytes, searches, searchBytes
        case idleArrangements, idleBytes, idleBudgetBytes, memoryBytes, memoryBudgetBytes
        case searchesRun, searchesCancelled, buildsWaiting
        case pagesKept, pageBytes, pageBudgetBytes, pagesRead
        case connectionsAdmitted, connectionsRefused, attemptsFailed
        case requestsAnswered, errorsAnswered, windowMicroseconds, slowWindowMicroseconds
        case readsWaiting, commands, commits, slowCommitMicroseconds, commandsWaiting, logBytes
        case backupsMade, backupsFailed, lastBackupSeconds
        case nodeLeads, nodeOutOfService, nodesInService
        case clusterEpoch, clusterPlace, clusterLag, lastElectionSeconds
        case clusterLogBytes, clusterLogRoomBytes

        /// Whether it is left out where there is nothing to say.
        package var isOptional: Bool {
            switch self {
            case .lastBackupSeconds, .nodeLeads, .nodeOutOfService, .nodesInService, .clusterEpoch,
                .clusterPlace, .clusterLag, .lastElectionSeconds, .clusterLogBytes,
                .clusterLogRoomBytes:
                true
            default: false
            }
        }
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

    public init(entries: [Entry]) { self.entries = entries }

    public subscript(name: Name) -> Int? {
        entries.first { $0.name == name.rawValue }?.value
    }

    package mutating func add(_ name: Name, _ value: Int) {
        entries.append(Entry(name: name.rawValue, value: max(0, value)))
    }
}
