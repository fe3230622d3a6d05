import Logging
import ValetCluster
import ValetModel

/// Tells the other nodes how this one is, hears how they are, and looks after the room for the log:
/// all outside the log, and nothing is decided by it.
final class NodeReporter: Sendable {
    private struct State {
        var peers = ClusterPeers()
        var reportsNext: Int64 = 0
        var looksNext: Int64 = 0
        var isLooking = false
        var ends: LogEnds?
        /// What was said of the log's room.
        var told = Room.enough
        var delay: NodeDelay
        /// As it was last said; nil before the first time.
        var serving: ServingNode?
    }

    private enum Room { case enough, scarce }

    private let membership: ClusterMembership
    private let incarnation: UInt64
    private let catalog: UInt64
    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameter catalog: digest of the names of the file's catalog.
    init(_ membership: ClusterMembership, incarnation: UInt64, catalog: UInt64, logger: Logger) {
        (self.membership, self.incarnation) = (membership, incarnation)
        (self.catalog, self.logger) = (catalog, logger)
        state = Mutex(State(delay: NodeDelay(at: 0)))
    }

    private func report(_ status: NodeStatus) -> NodeReport {
        let (role, reason): (NodeReport.Role, String) =
            switch status.role {
            case .following: (.following, "")
            case .standing: (.standing, "")
            case .leading: (.leading, "")
            case .outOfService(let reason): (.outOfService, reason)
            }
        return NodeReport(
            name: membership.name, incarnation: incarnation, role: role, reason: reason,
            epoch: status.epoch, place: status.place, catalog: catalog,
            version: ValetServer.version)
    }

    /// - Parameter status: of this node.
    /// - Returns: whether it is time to look at the log: then `lookAtLog` is called.
    func tick(_ status: NodeStatus, at now: Int64) -> Bool {
        let (reports, looks) = state.withLock { state in
            let due = (now >= state.reportsNext, now >= state.looksNext && !state.isLooking)
            if due.0 { state.reportsNext = now + Limits.millisecondsPerNodeReport }
            if due.1 {
                state.looksNext = now + Limits.millisecondsPerLogLook
                state.isLooking = true
            }
            return due
        }
        if reports { membership.log.say(.report(report(status))) }
        return looks
    }

    /// - Returns: why this node can't go on; nil if it can.
    func heard(_ report: NodeReport, at now: Int64) -> String? {
        let hasItsName = state.withLock {
            $0.peers.hear(report, as: membership.name, incarnation, at: now)
        }
        guard hasItsName else { return nil }
        return "another node is called “\(membership.name)”: give each a --name of its own"
    }

    /// Blocks its thread.
    func lookAtLog(_ status: NodeStatus, at now: Int64) {
        let ends = membership.log.ends().ends
        if let ends, case .leading = status.role { purge(ends, status, at: now) }
        state.withLock { ($0.isLooking, $0.ends) = (false, ends) }
    }

    private func purge(_ ends: LogEnds, _ status: NodeStatus, at now: Int64) {
        let others = reports(at: now).filter { $0.role != .outOfService }
        let kept = ends.keptAfterPurge([status.place] + others.map(\.place))
        let isPurged = kept.map { membership.log.purge(keepingFrom: $0) } ?? false
        let room: Room = ends.isHalfFull && !isPurged ? .scarce : .enough
        let before = state.withLock { exchange(&$0.told, with: room) }
        if let kept, isPurged {
            return logger.info("the log was purged", metadata: ["kept from": "\(kept)"])
        }
        guard room == .scarce, before == .enough else { return }
        logger.warning(
            "more than half of the room for the cluster's log is taken",
            metadata: [
                "bytes": "\(ends.bytes)", "room": "\(ends.mostBytes)",
                "reason":
                    kept == nil
                    ? "no two nodes have what could be purged" : "this node may not purge it",
            ])
    }

    // MARK: What stations are told

    /// A leader says how far it is.
    func heard(_ heartbeat: ClusterNode.Heartbeat, _ status: NodeStatus, at now: Int64) {
        guard heartbeat.leadership.epoch >= status.epoch else { return }
        state.withLock { $0.delay.heard(heartbeat.place, at: now) }
    }

    var serving: ServingNode? { state.withLock(\.serving) }

    /// - Returns: how this node is, if that is news.
    func news(of status: NodeStatus, at now: Int64) -> ServingNode? {
        state.withLock { state in
            state.delay.has(status.place)
            let condition: ServingNode.Condition
            switch status.role {
            case .outOfService(let reason): condition = .outOfService(reason: reason)
            case .leading:
                state.delay.leads(at: now)
                condition = .current
            case .following, .standing:
                let milliseconds = state.delay.milliseconds(at: now)
                condition =
                    milliseconds < Limits.millisecondsUntilBehind
                    ? .current : .behind(seconds: Int(clamping: milliseconds / 1_000))
            }
            let node = ServingNode(name: membership.name, condition: condition)
            return exchange(&state.serving, with: node) == node ? nil : node
        }
    }

    /// It could not begin to take part.
    func failed(_ reason: String) -> ServingNode {
        let node = ServingNode(
            name: membership.name, condition: .outOfService(reason: reason))
        state.withLock { $0.serving = node }
        return node
    }

    // MARK: What is known

    func reports(at now: Int64) -> [NodeReport] { state.withLock { $0.peers.reports(at: now) } }

    /// - Parameters:
    ///   - status: of this node.
    ///   - elected: when another leadership was found; nil if none was.
    func statistics(_ status: NodeStatus, elected: Int64?, at now: Int64) -> StatisticsSums {
        let isOut = if case .outOfService = status.role { true } else { false }
        let isLeading = if case .leading = status.role { true } else { false }
        let others = reports(at: now).count { $0.role != .outOfService }
        var sums: StatisticsSums = [
            .nodeLeads: isLeading ? 1 : 0, .nodeOutOfService: isOut ? 1 : 0,
            .nodesInService: others + (isOut ? 0 : 1),
            .clusterEpoch: Int(clamping: status.epoch), .clusterPlace: Int(clamping: status.place),
            .clusterLag: Int(clamping: status.lag),
        ]
        sums[.lastElectionSeconds] = elected.map { Int(clamping: (now - $0) / 1_000) }
        if let ends = state.withLock(\.ends) {
            sums[.clusterLogBytes] = Int(clamping: ends.bytes)
            sums[.clusterLogRoomBytes] = Int(clamping: ends.mostBytes)
        }
        return sums
    }
}
