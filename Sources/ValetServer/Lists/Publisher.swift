import Dispatch
import NIOPosix
import Synchronization
import ValetArrangement
import ValetModel

/// The thread on which all lists of a file are kept: it takes what happens to them in order, one
/// event after another, and publishes their snapshots together under one number.
///
/// Event loops read the newest snapshots, which takes one atomic load, and post what they want. So
/// they wait neither for a commit nor for one another. What takes long, such as reading and
/// sorting, runs on the threads of a `ReaderPool`, which post their results.
final class Publisher: Sendable {
    /// What the event loops are told.
    enum Notice: Sendable {
        /// There are newer snapshots. `old` are previous ones that may take long to free: the
        /// receiver retains them until no event loop references them any more.
        case published(old: [Snapshot])
        /// A changed list could not be reloaded.
        case failed(list: Int, ValetError)
    }

    let publications: Publications
    private let tell: @Sendable (Notice) -> Void
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let behind: Mutex<ListsBehind>
    /// Commits that a writer may be ahead of what is published.
    private let commitsAhead = DispatchSemaphore(value: Limits.commitsUnpublished)

    init(listCount: Int, tell: @escaping @Sendable (Notice) -> Void) {
        publications = Publications(listCount: listCount)
        behind = Mutex(ListsBehind(listCount: listCount))
        self.tell = tell
        thread.start()
    }

    /// Runs `body` on the thread, after all that was posted before. Once the thread has ended, it
    /// runs at once.
    func post(_ body: @escaping @Sendable () -> Void) {
        thread.submit { _ in body() }
    }

    /// What `body` returns on the thread, after all that was posted before. The caller waits: no
    /// event loop, and not the thread itself.
    func ask<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) -> Answer {
        let reply = Reply<Answer>()
        post { reply.give(body()) }
        return reply.wait()
    }

    /// Waits until all that was posted before is done.
    func settle() {
        ask {}
    }

    /// Returns when the thread has ended.
    func stop() async {
        try? await thread.shutdownGracefully()
    }
}

// MARK: - Commits

extension Publisher {
    /// Publishes what one commit did to all lists that it concerns, under one number. Lists with no
    /// changes take the revision. Waits while earlier commits are not published yet.
    func committed(
        _ commits: [KeptList.Commit], othersRevision: UInt64? = nil, revision: UInt64
    ) {
        commitsAhead.wait()
        post { [self] in
            let done = commits.map { commit in
                (commit.list, commit.list.take(commit, othersRevision, revision))
            }
            publish(done)
            for (list, performed) in done { list.carryOut(performed) }
            commitsAhead.signal()
        }
    }

    /// The file has this revision now: what lists do not show of it is read in, if it may be.
    func looked(at revision: UInt64, lists: [KeptList]) {
        post { [self] in
            behind.withLock { behind in
                behind.looked(at: revision) { lists[$0].takeUnknownRows($1) }
            }
            for list in lists { list.readAgainIfBehind() }
        }
    }

    /// Publishes the lists' newest snapshots together: nobody sees only some of them. On the
    /// thread.
    func publish(_ done: [(list: KeptList, performed: KeptList.Performed)]) {
        let publishing = done.filter(\.performed.publishes)
        guard !publishing.isEmpty else { return }
        publications.publish(
            publishing.compactMap { list, performed in
                performed.new.map { (list.list, $0) }
            })
        tell(.published(old: publishing.compactMap(\.performed.freed)))
    }

    /// On the thread.
    func failed(_ list: Int, _ error: ValetError) {
        tell(.failed(list: list, error))
    }
}

/// An answer that one thread waits for and another gives.
private final class Reply<Answer: Sendable>: Sendable {
    private let answer = Mutex<Answer?>(nil)
    private let isGiven = DispatchSemaphore(value: 0)

    func give(_ answer: Answer) {
        self.answer.withLock { $0 = answer }
        isGiven.signal()
    }

    func wait() -> Answer {
        isGiven.wait()
        return answer.withLock { $0.take() }!
    }
}
