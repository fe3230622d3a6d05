import ValetCluster
import ValetModel

/// Tells the other nodes of a cluster where this one's stations are, and shows this one's stations
/// where the others' are.
final class NodePresence: Sendable {
    /// Called with the number of a guest of another node, and where it is; nil for one that is
    /// gone.
    typealias Show = @Sendable (UInt32, StationPresence?) -> Void

    private let membership: ClusterMembership
    private let state: Mutex<NodesPresence>
    private let show = Mutex<Show?>(nil)

    init(_ membership: ClusterMembership, incarnation: UInt64) {
        self.membership = membership
        state = Mutex(NodesPresence(of: membership.name, incarnation))
    }

    func begin(_ show: @escaping Show) { self.show.withLock { $0 = show } }

    func stop() {
        show.withLock { $0 = nil }
        say(state.withLock { $0.end() })
    }

    /// One of this node's own.
    func moved(_ connection: UInt32, _ presence: StationPresence?) {
        state.withLock { $0.moved(connection, presence) }
    }

    func tick(at now: Int64) {
        let (reports, gone) = state.withLock { ($0.reports(at: now), $0.gone(at: now)) }
        say(reports)
        tell(gone)
    }

    func heard(_ report: PresenceReport, at now: Int64) {
        tell(state.withLock { $0.heard(report, at: now) })
    }

    private func say(_ reports: [PresenceReport]) {
        for report in reports { membership.log.say(.presence(report)) }
    }

    private func tell(_ news: [NodesPresence.News]) {
        guard !news.isEmpty, let show = show.withLock(\.self) else { return }
        for one in news { show(one.number, one.presence) }
    }
}
