import ValetCluster
import ValetModel
import ValetStore

/// A cluster's log in memory. Each node has its own way to it, which can be cut.
package final class MemoryLog: Sendable {
    private struct State {
        var messages: [[UInt8]] = []
        /// So many of them are purged.
        var floor = 0
        var room = 1 << 30
        var keepsAll = false
        /// As if its servers knew nothing of it.
        var isMissing = false
        var nodes: [String: Node] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    private static let logID: UInt64 = 5

    /// Makes a file that of a node.
    package static func join(_ path: String) throws(ValetError) {
        try NodeMark.make(inFile: path, LogChain(logID: logID).stored, at: 1)
    }

    /// All messages, from the first place on.
    package var messages: [[UInt8]] { state.withLock(\.messages) }

    /// All that is there by now.
    package func purge() { state.withLock { $0.floor = $0.messages.count } }

    /// How many bytes go in, and whether whoever wants to purge it may.
    package func setRoom(_ bytes: Int, keepsAll: Bool = false) {
        state.withLock { ($0.room, $0.keepsAll) = (bytes, keepsAll) }
    }

    /// Its servers lose the last of it.
    package func lose(_ count: Int) { state.withLock { $0.messages.removeLast(count) } }

    package func lose() { state.withLock { $0.isMissing = true } }

    package func connection() -> Node { Node(to: self) }

    package final class Node: CommandLog {
        private struct State {
            var isCut = false
            var name: String?
            var hear: @Sendable (NodeNews) -> Void = { _ in }
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
                if !state.isMissing, UInt64(state.messages.count) == place {
                    state.messages.append(message)
                }
            }
        }

        package func look(at place: UInt64) -> ClusterNode.Look {
            switch read(from: place) {
            case .messages(let found): found.first.map { .message($0) } ?? .nothing
            case .gone: .gone
            case .lost, .failed: .failed
            }
        }

        package func read(from place: UInt64) -> LogReading {
            guard !isCut, let before = Int(exactly: place &- 1) else { return .failed }
            return log.state.withLock { state in
                if before < state.floor { return .gone }
                if state.isMissing || before > state.messages.count { return .lost }
                return .messages(Array(state.messages.dropFirst(before).prefix(100)))
            }
        }

        package func ends() -> LogLook {
            guard !isCut else { return .failed }
            return log.state.withLock { state in
                if state.isMissing { return .missing }
                let kept = state.messages.dropFirst(state.floor)
                return .ends(
                    LogEnds(
                        first: UInt64(state.floor) + 1, last: UInt64(state.messages.count),
                        bytes: UInt64(kept.reduce(0) { $0 + $1.count }),
                        mostBytes: UInt64(state.room), copies: 1, wholeCopies: 1))
            }
        }

        /// Tells the others of a leader that has more than there is.
        package func claimsToLead(at place: UInt64) {
            let leadership = Leadership(epoch: .max, node: "claims", incarnation: 1)
            say(.heartbeat(ClusterNode.Heartbeat(leadership: leadership, place: place)))
        }

        package func purge(keepingFrom place: UInt64) -> Bool {
            guard !isCut, let kept = Int(exactly: place &- 1) else { return false }
            return log.state.withLock { state in
                guard !state.keepsAll, kept <= state.messages.count else { return false }
                state.floor = max(state.floor, kept)
                return true
            }
        }

        package func say(_ news: NodeNews) {
            guard !isCut else { return }
            for node in log.others(than: self) { node.hears(news) }
        }

        private func hears(_ news: NodeNews) {
            let hear = own.withLock { $0.isCut ? nil : $0.hear }
            hear?(news)
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
            as node: String, hear: @escaping @Sendable (NodeNews) -> Void,
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
