import ValetCluster
import ValetModel

/// A cluster's log in memory. Each node has its own way to it, which can be cut.
package final class MemoryLog: Sendable {
    private struct State {
        var messages: [[UInt8]] = []
        /// So many of them are purged.
        var floor = 0
        var nodes: [String: Node] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// All messages, from the first place on.
    package var messages: [[UInt8]] { state.withLock(\.messages) }

    /// All that is there by now.
    package func purge() { state.withLock { $0.floor = $0.messages.count } }

    package func connection() -> Node { Node(to: self) }

    package final class Node: CommandLog {
        private struct State {
            var isCut = false
            var name: String?
            var hear: @Sendable (ClusterNode.Heartbeat) -> Void = { _ in }
            var asked: AskedNode?
        }

        private let log: MemoryLog
        private let own = Mutex(State())

        fileprivate init(to log: MemoryLog) { self.log = log }

        /// Nothing of what this node sends arrives any more, and it hears nothing.
        package func cut(_ isCut: Bool) { own.withLock { $0.isCut = isCut } }

        private var isCut: Bool { own.withLock(\.isCut) }

        package func publish(_ message: [UInt8], after place: UInt64) {
            guard !isCut else { return }
            log.state.withLock { state in
                if UInt64(state.messages.count) == place { state.messages.append(message) }
            }
        }

        package func look(at place: UInt64) -> ClusterNode.Look {
            switch read(from: place) {
            case .messages(let found): found.first.map { .message($0) } ?? .nothing
            case .gone: .gone
            case .failed: .failed
            }
        }

        package func read(from place: UInt64) -> LogReading {
            guard !isCut, let before = Int(exactly: place &- 1) else { return .failed }
            return log.state.withLock { state in
                before < state.floor
                    ? .gone : .messages(Array(state.messages.dropFirst(before).prefix(100)))
            }
        }

        package func say(_ heartbeat: ClusterNode.Heartbeat) {
            guard !isCut else { return }
            for node in log.others(than: self) { node.hears(heartbeat) }
        }

        private func hears(_ heartbeat: ClusterNode.Heartbeat) {
            let hear = own.withLock { $0.isCut ? nil : $0.hear }
            hear?(heartbeat)
        }

        package func ask(
            _ node: String, _ question: [UInt8], _ take: @escaping @Sendable ([UInt8]?) -> Void
        ) {
            let other = isCut ? nil : log.state.withLock { $0.nodes[node] }
            let asked = other?.own.withLock { $0.isCut ? nil : $0.asked }
            guard let asked else { return take(nil) }
            // An answer to or from a node that was cut meanwhile is lost.
            asked(question) { [weak self] answer in
                take(self?.isCut == false && other?.isCut == false ? answer : nil)
            }
        }

        package func listen(
            as node: String, hear: @escaping @Sendable (ClusterNode.Heartbeat) -> Void,
            asked: @escaping AskedNode
        ) {
            own.withLock { ($0.name, $0.hear, $0.asked) = (node, hear, asked) }
            log.state.withLock { $0.nodes[node] = self }
        }

        package func close() {
            own.withLock { ($0.isCut, $0.asked) = (true, nil) }
        }
    }

    private func others(than node: Node) -> [Node] {
        state.withLock { $0.nodes.values.filter { $0 !== node } }
    }
}
