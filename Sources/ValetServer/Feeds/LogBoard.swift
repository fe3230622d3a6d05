import ValetModel

/// How far the log has grown, known without reading it.
struct LogHeads: Equatable, Sendable {
    /// The newest revision whose rows are published: feeds stop there. nil if another program may
    /// have written the log, too.
    var newest: UInt64?
    /// By list: a number that changes whenever its log may have grown.
    var changes: [UInt64]
}

/// The heads of the log, shared by all event loops: when they change, each loop looks at its feeds.
final class LogBoard: Sendable {
    private struct State {
        var heads: LogHeads
        /// The newest commit of another program.
        var others: UInt64
        /// This server owns the file: no other program writes the log.
        var isOwner = false
    }

    private let state: Mutex<State>
    let notice: LoopNotice

    /// - Parameters:
    ///   - newest: the file's revision; nil if this server does not write the log.
    ///   - others: the newest commit of another program.
    init(newest: UInt64?, others: UInt64, listCount: Int, loops: Loops) {
        let changes = Array(repeating: 0 as UInt64, count: listCount)
        state = Mutex(State(heads: LogHeads(newest: newest, changes: changes), others: others))
        notice = LoopNotice(to: loops) { $0.feeds.lookSoon() }
    }

    var heads: LogHeads { state.withLock(\.heads) }

    /// The rows of one of this server's commits were published.
    func published(_ revision: UInt64, ofLists lists: [Int]) {
        state.withLock { state in
            state.heads.newest = revision
            state.isOwner = true
            for list in lists { state.heads.changes[list] += 1 }
        }
        notice.give()
    }

    /// The newest commit of another program has this revision.
    func lookedForOthers(_ revision: UInt64) {
        let isNew = state.withLock { state in
            guard revision != state.others else { return false }
            state.others = revision
            if !state.isOwner { state.heads.newest = nil }
            for list in state.heads.changes.indices { state.heads.changes[list] += 1 }
            return true
        }
        if isNew { notice.give() }
    }
}
