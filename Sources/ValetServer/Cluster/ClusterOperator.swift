import Dispatch
import ValetCluster
import ValetModel

/// Looks at a cluster from outside, and tells its nodes what to do. Blocks its thread.
package struct ClusterOperator {
    private let log: any CommandLog

    package init(_ log: any CommandLog) { self.log = log }

    /// How the log is, and what the nodes that are there say of themselves, by their names.
    package struct Survey: Equatable, Sendable {
        package var log: LogLook
        package var nodes: [NodeReport]

        package init(log: LogLook, nodes: [NodeReport]) { (self.log, self.nodes) = (log, nodes) }

        /// One that was replaced may not know yet.
        package var leader: NodeReport? {
            nodes.filter { $0.role == .leading }.max { $0.epoch < $1.epoch }
        }
    }

    /// - Parameter milliseconds: for how long nodes are listened to; each speaks once a second.
    package func survey(
        milliseconds: Int = 2 * Int(Limits.millisecondsPerNodeReport) + 200
    ) -> Survey {
        let heard = Mutex(ClusterPeers())
        // Nobody asks it, and no node has its name.
        let number = UInt64.random(in: 0 ... .max)
        log.listen(
            as: "operator \(number)",
            hear: { news in
                guard case .report(let report) = news else { return }
                heard.withLock { _ = $0.hear(report, as: "", number, at: 0) }
            }, asked: { _, answer in answer([]) })
        let end = DispatchTime.now() + .milliseconds(milliseconds)
        let ends = log.ends()
        _ = DispatchSemaphore(value: 0).wait(timeout: end)
        return Survey(log: ends, nodes: heard.withLock { $0.reports(at: 0) })
    }

    /// The node that leads lets others do so.
    ///
    /// - Returns: its name.
    package func stepDown() throws(ValetError) -> String {
        guard let leader = survey().leader?.name else {
            throw ValetError(.busy, "no node says that it leads, so none can step down")
        }
        let reply = Reply<[UInt8]?>()
        log.ask(leader, NodeQuestion.stepDown.bytes) { reply.give($0) }
        guard let bytes = reply.wait() else {
            throw ValetError(.timedOut, "“\(leader)” has not answered")
        }
        _ = try NodeAnswer<Accepted>(bytes).result.get()
        return leader
    }

    /// Forgets what two nodes at least have in their files, if more than half of the log's room is
    /// taken.
    ///
    /// - Returns: the place from which the log is kept; nil if nothing was to be done.
    package func purge(_ survey: Survey) throws(ValetError) -> UInt64? {
        guard let ends = survey.log.ends else {
            throw ValetError(.storageFailed, "the log's servers don't say how it is")
        }
        let nodes = survey.nodes.filter { $0.role != .outOfService }
        guard let kept = ends.keptAfterPurge(nodes.map(\.place)) else { return nil }
        guard log.purge(keepingFrom: kept) else {
            throw ValetError(.notAllowed, "the log's servers have not purged it: may you?")
        }
        return kept
    }
}
