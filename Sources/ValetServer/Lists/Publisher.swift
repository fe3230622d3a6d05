import DequeModule
import Dispatch
import NIOPosix
import ValetArrangement
import ValetModel

/// The thread on which all lists of a file are kept: it takes what happens to them in order, one
/// event after another, and publishes their snapshots together under one number. A small commit
/// that finds it idle is published on the writer's thread, as one of these events.
///
/// Event loops read the newest snapshots, which takes one atomic load, and post what they want. So
/// they wait neither for a commit nor for one another. What takes long, such as reading and
/// sorting, runs on the threads of a `ReaderPool`, which post their results.
final class Publisher: Sendable {
    /// What the event loops are told.
    enum Notice: Sendable {
        /// There are newer snapshots. `old` are previous ones that may take long to free: the
        /// receiver retains them until no event loop references them any more. Windows may be
        /// others only if `altersWindows`.
        case published(old: [Snapshot], altersWindows: Bool)
        /// A changed list could not be reloaded.
        case failed(list: Int, ValetError)
    }

    let publications = Publications()
    private let tell: @Sendable (Notice) -> Void
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let posts = Mutex(Posts())
    private let behind: Mutex<ListsBehind>
    /// Of all its lists.
    let memory: MemoryBudget
    private let lists = Mutex<[KeptList]>([])
    /// Commits that a writer may be ahead of what is published.
    private let commitsAhead = DispatchSemaphore(value: Limits.commitsUnpublished)

    init(
        listCount: Int, memory: MemoryBudget = MemoryBudget(),
        tell: @escaping @Sendable (Notice) -> Void
    ) {
        behind = Mutex(ListsBehind(listCount: listCount))
        self.memory = memory
        self.tell = tell
        thread.start()
        memory.whenExceeded { [weak self] in self?.ask { [weak self] in self?.makeRoom() } }
    }

    /// The lists that make room for one another.
    func serve(_ lists: [KeptList]) {
        self.lists.withLock { $0 = lists }
    }

    private struct Posts {
        var waiting: Deque<@Sendable () -> Void> = []
        /// Somebody runs one, or is about to. If not, none waits.
        var isBusy = false
    }

    /// Runs `body` on the thread, after all that was posted before. Once the thread has ended, it
    /// runs at once.
    func post(_ body: @escaping @Sendable () -> Void) {
        let startsThread = posts.withLock { posts in
            posts.waiting.append(body)
            defer { posts.isBusy = true }
            return !posts.isBusy
        }
        if startsThread { thread.submit { [self] _ in runPosts() } }
    }

    /// The same, for a thread that may wait: if nothing else runs, `body` runs on that thread. So
    /// whoever waits for a commit need not wait for a change of threads, too.
    func postHere(_ body: @escaping @Sendable () -> Void) {
        let runsHere = posts.withLock { posts in
            if posts.isBusy { posts.waiting.append(body) }
            defer { posts.isBusy = true }
            return !posts.isBusy
        }
        guard runsHere else { return }
        body()
        let isLeft = posts.withLock { posts in
            posts.isBusy = !posts.waiting.isEmpty
            return posts.isBusy
        }
        if isLeft { thread.submit { [self] _ in runPosts() } }
    }

    private func runPosts() {
        func next() -> (@Sendable () -> Void)? {
            posts.withLock { posts in
                posts.isBusy = !posts.waiting.isEmpty
                return posts.waiting.popFirst()
            }
        }
        while let body = next() { body() }
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
        memory.whenExceeded(nil)
        serve([])
    }
}

// MARK: - Commits

extension Publisher {
    /// Publishes what one commit did to all lists that it concerns, under one number. Lists with no
    /// changes take the revision. Waits while earlier commits are not published yet.
    func committed(_ commits: [KeptList.Commit], othersRevision: UInt64? = nil, revision: UInt64) {
        commitsAhead.wait()
        let body: @Sendable () -> Void = { [self] in
            let done = commits.map { commit in
                (commit.list, commit.list.take(commit, othersRevision, revision))
            }
            publish(done)
            for (list, performed) in done { list.carryOut(performed) }
            commitsAhead.signal()
        }
        // While a large one is published, the writer goes on.
        let rows = commits.reduce(0) { $0 + $1.changes.count + ($1.found?.count ?? 0) }
        if rows <= Limits.rowsPublishedHere { postHere(body) } else { post(body) }
    }

    /// Somebody is about to hear of another program's commit, which the lists may not show yet:
    /// whoever asks from now on waits until they do.
    func willTell(ofOthers revision: UInt64) {
        post { [self] in
            for list in lists.withLock({ $0 }) { list.willTell(ofOthers: revision) }
        }
    }

    /// The file has this revision now: what lists do not show of it is read in, if it may be.
    func looked(at revision: UInt64, lists: [KeptList]) {
        post { [self] in
            let asked = behind.withLock { $0.looked(at: revision) }
            let isBehind = asked.filter { lists[$0].takeUnknownRows(revision) }
            behind.withLock { $0.stay(isBehind) }
            for list in lists { list.readAgainIfBehind() }
            if memory.isExceeded { makeRoom() }
        }
    }

    /// Publishes the lists' newest snapshots together: nobody sees only some of them. On the
    /// thread.
    func publish(_ done: [(list: KeptList, performed: KeptList.Performed)]) {
        let publishing = done.filter(\.performed.publishes)
        guard !publishing.isEmpty else { return }
        publications.publish(publishing.map { ($0.list.list, $0.performed.new) })
        tell(
            .published(
                old: publishing.compactMap(\.performed.freed),
                altersWindows: publishing.contains(where: \.performed.altersWindows)))
    }

    /// Frees what lists can do without, first of those that nobody has used for longest, until all
    /// have room. On the thread.
    private func makeRoom() {
        let lists = lists.withLock { $0 }.filter { $0.snapshot != nil }
            .map { (list: $0, lastUsed: $0.lastUsed) }.sorted { $0.lastUsed < $1.lastUsed }
        for spare in ListKeeper.Spare.allCases {
            for (list, _) in lists {
                guard memory.isExceeded else { return }
                list.giveUp(spare)
            }
        }
    }

    /// On the thread.
    func failed(_ list: Int, _ error: ValetError) {
        tell(.failed(list: list, error))
    }
}

/// The lists that do not show the file's newest revision yet. Only these are notified at every
/// look, so that a file that does not change costs nothing.
struct ListsBehind {
    private let listCount: Int
    private var revision: UInt64 = 0
    private var behind: [Int] = []

    init(listCount: Int) {
        self.listCount = listCount
    }

    /// The file now has this revision.
    ///
    /// - Returns: the lists to notify.
    mutating func looked(at revision: UInt64) -> [Int] {
        if revision != self.revision {
            self.revision = revision
            behind = Array(0..<listCount)
        }
        return behind
    }

    /// Of those that were notified, these are behind still.
    mutating func stay(_ lists: [Int]) {
        behind = lists
    }
}

/// An answer that one thread waits for and another gives.
final class Reply<Answer: Sendable>: Sendable {
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
