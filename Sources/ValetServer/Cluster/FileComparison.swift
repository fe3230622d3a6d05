import Dispatch
import Logging
import NIOCore
import NIOPosix
import ValetCluster
import ValetModel
import ValetStore

/// Finds out whether the node's file holds what the other nodes' files do: reads all of it now and
/// then, at places of the log where they do so, too, and compares what came of it.
///
/// A reading has a thread of its own, and takes a small part of one processor's time. So nodes do
/// not read at each of these places, and a slow one not wherever the others do.
final class FileComparison: Sendable {
    private struct State {
        var marks: ContentMarks
        var isReading = false
        var readsNext = NIODeadline.uptimeNanoseconds(0)
        var saysNext: Int64 = 0
        /// Why the file was not read.
        var told: String?
    }

    private let membership: ClusterMembership
    private let path: String
    private let logger: Logger
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let closed = StopFlag()
    private let state: Mutex<State>

    /// - Parameter path: of the node's file.
    init(_ membership: ClusterMembership, path: String, logger: Logger) {
        (self.membership, self.path, self.logger) = (membership, path, logger)
        state = Mutex(
            State(marks: ContentMarks(of: membership.name, every: membership.placesPerMark)))
        thread.start()
    }

    func stop() {
        closed.set()
        thread.shutdownGracefully { _ in }
    }

    /// Called on the writer's thread, when a transaction has ended. Returns when the file is open
    /// for reading, if it is read as of now.
    ///
    /// - Parameter place: of the log, which the file has taken in.
    func committed(_ place: UInt64) {
        let begins = state.withLock { state in
            guard state.marks.isDue(at: place), !state.isReading, state.readsNext <= .now() else {
                return false
            }
            state.isReading = true
            return true
        }
        guard begins else { return }
        let hasBegun = DispatchSemaphore(value: 0)
        thread.submit { [self] pool in
            if pool == .active { read(at: place) { hasBegun.signal() } }
            hasBegun.signal()
        }
        hasBegun.wait()
    }

    private func read(at place: UInt64, _ began: () -> Void) {
        ThreadPriority.low.take()
        let start = NIODeadline.now()
        let content = Result { () throws(ValetError) in
            try NodeContent(ofFile: path, began: began, cancelled: { closed.isSet })
        }
        let time = NIODeadline.now() - start
        let failure = state.withLock { state -> String? in
            state.isReading = false
            state.readsNext = .now() + time * Limits.pausesPerContentReading
            switch content {
            case .success(let content):
                state.told = nil
                // The writer may have failed, or gone on.
                if LogChain(stored: content.state)?.place == place {
                    state.marks.add(ContentMark(place: place, digest: content.digest))
                }
                return nil
            case .failure(let error):
                guard !closed.isSet, exchange(&state.told, with: "\(error)") != "\(error)" else {
                    return nil
                }
                return "\(error)"
            }
        }
        guard let failure else { return }
        logger.warning(
            "the file could not be compared with the other nodes'",
            metadata: ["error": "\(failure)"])
    }

    /// Tells the other nodes once a second.
    ///
    /// - Returns: why this node can't go on with its file; nil if it can.
    func tick(_ status: NodeStatus, at now: Int64) -> String? {
        let marks = state.withLock { state -> ContentMarks? in
            guard now >= state.saysNext, !state.marks.own.isEmpty else { return nil }
            state.saysNext = now + Limits.millisecondsPerNodeReport
            return state.marks
        }
        guard let marks else { return nil }
        membership.log.say(.marks(MarksReport(name: membership.name, marks: marks.own)))
        return marks.differs(fromLeader: status.leader).map { place in
            "at place \(place) of the log this file has other rows than the other nodes' files: it "
                + "is replaced by a copy of the leader's, and kept beside it as FILE-before"
        }
    }

    func heard(_ report: MarksReport, at now: Int64) {
        state.withLock { $0.marks.hear(report, at: now) }
    }
}
