import Dispatch
import Logging
import ValetCluster
import ValetModel
import ValetStore

/// Brings a copy of the leader's file, for a node that the log has left behind, to a place beside
/// its own file. Blocks its thread.
struct NodeCopyDownload {
    let log: any CommandLog
    /// Of the node's own file.
    let path: String
    let logID: UInt64
    /// The copy has more than this place of the log.
    let place: UInt64
    /// Given when the node stops.
    let stopped: DispatchSemaphore

    var copy: String { NodeFile.copy(ofOther: path) }

    /// Tries until there is one.
    ///
    /// - Parameter leader: who leads; nil if that is this node, or not known yet.
    /// - Returns: false if the node stops.
    func run(logger: Logger, from leader: () -> String?) -> Bool {
        var told: String?
        while true {
            var time = DispatchTimeInterval.milliseconds(Limits.millisecondsPerNodeCopyLook)
            do throws(ValetError) {
                if let leader = leader() {
                    time = .seconds(Limits.secondsBeforeNodeCopy)
                    try run(from: leader)
                    return true
                }
            } catch {
                if "\(error)" != told, error.code != .shuttingDown {
                    told = "\(error)"
                    logger.warning(
                        "no copy of another node's file could be had",
                        metadata: ["error": "\(error)"])
                }
            }
            guard (try? pause(time)) != nil else { return false }
        }
    }

    /// - Parameter leader: its name.
    /// - Throws: `.shuttingDown` when the node stops.
    func run(from leader: String) throws(ValetError) {
        let offered = try offer(by: leader)
        let most = Limits.bytesPerNodeCopy
        guard offered.byteCount <= most else {
            throw .limit("bytes of a copy", is: most, asked: offered.byteCount)
        }
        CopiedFile.remove(copy)
        let file = try OpenedFile(copy, creates: true)
        var next = 0
        while next < offered.byteCount {
            let question = NodeQuestion.blocks(
                ofCopy: offered.digest, from: next / Limits.bytesPerBlock)
            let blocks: CopiedBlocks = try ask(leader, question)
            let isWhole = blocks.bytes.count % Limits.bytesPerBlock == 0
            guard !blocks.bytes.isEmpty, next + blocks.bytes.count <= offered.byteCount,
                isWhole || next + blocks.bytes.count == offered.byteCount
            else { throw isDamaged }
            try file.write(blocks.bytes, at: next)
            next += blocks.bytes.count
        }
        let isAwaited = stopped
        guard try file.digest(cancelled: { isAwaited.isGiven }) == offered.digest else {
            throw isDamaged
        }
        try CopiedFile(copy).check(cancelled: { isAwaited.isGiven })
        guard let state = try NodeMark.state(inCopy: copy), let theirs = LogChain(stored: state),
            theirs.logID == logID, theirs.place > place
        else {
            throw ValetError(
                .unexpected, "the copy of the file of “\(leader)” is not one that this node needs")
        }
    }

    private var isDamaged: ValetError {
        ValetError(.storageFailed, "“\(copy)” is not what was sent: check the disk")
    }

    private func offer(by leader: String) throws(ValetError) -> BackupDescription {
        while true {
            let offered: OfferedCopy = try ask(leader, .copy(behind: place))
            if let copy = offered.copy { return copy }
            try pause(.milliseconds(Limits.millisecondsPerNodeCopyLook))
        }
    }

    func pause(_ time: DispatchTimeInterval) throws(ValetError) {
        if stopped.isGiven(within: time) { throw .shuttingDown }
    }

    private func ask<Value>(_ node: String, _ question: NodeQuestion) throws(ValetError) -> Value
    where Value: AnsweredValue {
        if stopped.isGiven { throw .shuttingDown }
        let reply = Reply<[UInt8]?>()
        log.ask(node, question.bytes) { reply.give($0) }
        guard let answer = reply.wait() else {
            throw ValetError(.timedOut, "“\(node)” has not answered")
        }
        return try NodeAnswer<Value>(answer).result.get()
    }
}

extension DispatchSemaphore {
    /// Whether it was given; it stays so.
    fileprivate var isGiven: Bool { isGiven(within: .seconds(0)) }

    fileprivate func isGiven(within time: DispatchTimeInterval) -> Bool {
        guard wait(timeout: .now() + time) == .success else { return false }
        signal()
        return true
    }
}
