import ValetCluster
import ValetModel

/// The presence of stations at the nodes of a cluster: what this node tells the others, and what it
/// has heard from them. Words may be lost on the way, so all is told again every few seconds, and
/// who is not heard of any more is gone. All times are in milliseconds.
struct NodesPresence {
    static let pause: Int64 = 1_000 / Int64(Limits.presencesPerSecond)
    static let repetition: Int64 = 2_000
    static let silence: Int64 = 6_000

    private let node: String
    private let incarnation: UInt64
    private var own: [UInt32: StationPresence] = [:]
    private var changed: Set<UInt32> = []
    private var saysNext: Int64 = 0
    private var repeatsNext: Int64 = 0

    private struct Guest {
        /// As this node names it.
        let number: UInt32
        var presence: StationPresence
        var heardAt: Int64
    }

    private struct Node {
        let incarnation: UInt64
        /// By their connections there.
        var guests: [UInt32: Guest] = [:]
    }

    private var nodes: [String: Node] = [:]
    private var guestCount = 0
    /// Own connections count from below.
    private var nextNumber = UInt32.max

    init(of node: String, _ incarnation: UInt64) {
        (self.node, self.incarnation) = (node, incarnation)
    }

    // MARK: This node's

    /// - Parameter presence: nil for one that is gone, or in no list.
    mutating func moved(_ connection: UInt32, _ presence: StationPresence?) {
        guard own[connection] != presence else { return }
        own[connection] = presence
        changed.insert(connection)
    }

    mutating func reports(at now: Int64) -> [PresenceReport] {
        guard now >= saysNext else { return [] }
        var told = changed
        if now >= repeatsNext {
            told.formUnion(own.keys)
            repeatsNext = now + Self.repetition
        }
        guard !told.isEmpty else { return [] }
        saysNext = now + Self.pause
        changed = []
        return reports(of: told.sorted())
    }

    /// The node stops.
    mutating func end() -> [PresenceReport] {
        let connections = own.keys.sorted()
        own = [:]
        return reports(of: connections)
    }

    private func reports(of connections: [UInt32]) -> [PresenceReport] {
        let most = PresenceReport.mostEntries
        return stride(from: 0, to: connections.count, by: most).map { start in
            let entries = connections[start...].prefix(most).map {
                PresenceReport.Entry(connection: $0, guest: own[$0])
            }
            return PresenceReport(node: node, incarnation: incarnation, entries: entries)
        }
    }

    // MARK: Those of others

    /// What is new of one: nil for one who is gone.
    typealias News = (number: UInt32, presence: StationPresence?)

    mutating func heard(_ report: PresenceReport, at now: Int64) -> [News] {
        let known = nodes[report.node]
        guard report.node != node, known.map({ $0.incarnation <= report.incarnation }) ?? true
        else { return [] }
        var news: [News] = []
        var other = known ?? Node(incarnation: report.incarnation)
        if other.incarnation < report.incarnation {
            news = other.guests.values.map { ($0.number, nil) }
            guestCount -= other.guests.count
            other = Node(incarnation: report.incarnation)
        }
        for entry in report.entries {
            let before = other.guests[entry.connection]
            guard let presence = entry.guest else {
                guard let before else { continue }
                other.guests[entry.connection] = nil
                guestCount -= 1
                news.append((before.number, nil))
                continue
            }
            if before == nil, guestCount >= Limits.guestsOfOtherNodes { continue }
            let number = before?.number ?? newNumber()
            if before == nil { guestCount += 1 }
            other.guests[entry.connection] = Guest(
                number: number, presence: presence, heardAt: now)
            if before?.presence != presence { news.append((number, presence)) }
        }
        nodes[report.node] = other.guests.isEmpty ? nil : other
        return news
    }

    private mutating func newNumber() -> UInt32 {
        defer { nextNumber &-= 1 }
        return nextNumber
    }

    /// Those who have not been heard of for long.
    mutating func gone(at now: Int64) -> [News] {
        var news: [News] = []
        for (name, node) in nodes {
            let silent = node.guests.filter { $0.value.heardAt + Self.silence <= now }
            guard !silent.isEmpty else { continue }
            news += silent.values.map { ($0.number, nil) }
            guestCount -= silent.count
            nodes[name]?.guests = node.guests.filter { silent[$0.key] == nil }
            if nodes[name]?.guests.isEmpty == true { nodes[name] = nil }
        }
        return news
    }
}
