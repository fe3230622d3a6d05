import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetSecurity

/// The state that connections of one event loop share: the newest snapshot of each list, and the
/// waiters for each page. Used on that loop only, so it needs no locks.
final class LoopState {
    private let eventLoop: any EventLoop
    private let shared: SharedServices
    private var newest = Publications.Newest()
    /// The newest page, for its waiters: the cache may not have it, or not any more.
    private var arrived: (name: PageName, frames: [ByteBuffer])?
    private struct Waiter {
        let order: PageOrder
        let owner: WorkOwner
        /// It came when the read was over, or dropped since nobody waited for it any more.
        var isLate = false
        let ready: (PageReading) -> Void

        /// Whether the reading, of rows of this revision, says nothing of what it waits for.
        func asksAgain(after reading: PageReading, of revision: UInt64) -> Bool {
            switch reading {
            case .frames: false
            case .outdated: order.revision > revision
            case .failed(let error): isLate && error == .abandoned
            }
        }
    }
    /// A page by its name. Only a pinned view may still be able to read it.
    private struct WaitingPage: Hashable {
        let name: PageName
        let pin: Pin?

        init(_ order: PageOrder) {
            (name, pin) = (order.name, order.pin)
        }
    }
    private struct Waiting {
        /// nil if the readers have stopped.
        let work: WorkNumber?
        let revision: UInt64
        var waiters: [Waiter]
    }
    /// The waiters for each page that is being read.
    private var waiting: [WaitingPage: Waiting] = [:]
    var meter = LoopMeter()
    /// An empty buffer with capacity for one turn's output, reused by all connections.
    var spareBuffer = ByteBuffer()
    /// Of principals that have connections here.
    private var workAtOnce: [String: (work: WorkAtOnce, connections: Int)] = [:]
    /// Schedules the turns of busy connections.
    let turns: LoopTurns
    /// Handlers of open connections, to drain them.
    var handlers: [ObjectIdentifier: ConnectionHandler] = [:]
    /// Answers windows again when rows have changed.
    let windows: LoopPasses<ConnectionHandler>
    /// Continues feeds when the log has grown.
    let feeds: LoopPasses<ConnectionHandler>
    /// Sends clients the presence of others.
    let presences: LoopPasses<ConnectionHandler>

    init(eventLoop: any EventLoop, shared: SharedServices) {
        self.eventLoop = eventLoop
        self.shared = shared
        turns = LoopTurns(eventLoop: eventLoop, lastLightUse: shared.lastLightUse)
        windows = LoopPasses(
            eventLoop: eventLoop, turns: turns, interval: .milliseconds(1)
        ) { $0.lookAtWindows() }
        feeds = LoopPasses(
            eventLoop: eventLoop, turns: turns, interval: .milliseconds(1),
            begins: { shared.log.notice.begun() }
        ) { $0.lookAtFeeds() }
        presences = LoopPasses(
            eventLoop: eventLoop, turns: turns, interval: PresenceNews.interval,
            begins: { shared.presence.notice.begun() }
        ) { $0.lookAtPresence() }
    }

    /// - Returns: for one more connection of the principal, until `connectionLeft`.
    func workAtOnce(of principal: String) -> WorkAtOnce {
        let known = workAtOnce[principal] ?? (WorkAtOnce(now: eventLoop.now), 0)
        workAtOnce[principal] = (known.work, known.connections + 1)
        return known.work
    }

    func connectionLeft(of principal: String) {
        guard let known = workAtOnce[principal] else { return }
        workAtOnce[principal] =
            known.connections > 1 ? (known.work, known.connections - 1) : nil
    }

    /// Releases older snapshots, even when no requests arrive, and answers windows that wait for
    /// newer rows.
    func take(_ notice: Publisher.Notice) {
        shared.publications.update(&newest)
        switch notice {
        case .published(_, let altersWindows): if altersWindows { windows.lookSoon() }
        case .failed(let list, let error):
            for handler in handlers.values { handler.rowsFailed(list, error) }
        }
    }

    func frames(of order: PageOrder) -> [ByteBuffer]? {
        if let arrived, arrived.name == order.name { return arrived.frames }
        return shared.pages.framesAtOnce(of: order.name)
    }

    /// The newest snapshot, if it has the page's rows in memory.
    func snapshot(with order: PageOrder) -> Snapshot? {
        guard let snapshot = order.pin?.snapshot ?? snapshot(ofList: order.list),
            order.isInMemory(of: snapshot)
        else { return nil }
        return snapshot
    }

    /// Makes a page of a snapshot that has its rows; `frames` returns it until the next is made.
    /// - Returns: false if there are long texts to read.
    func make(_ order: PageOrder, in snapshot: Snapshot) -> Bool {
        guard let frames = PageBuilder(order, in: snapshot)?.encode(name: order.name) else {
            return false
        }
        arrived = (order.name, frames)
        if !shared.pages.insertAtOnce(frames, for: order.name) {
            shared.readers.submit { [pages = shared.pages] _ in
                pages.insert(frames, for: order.name)
            }
        }
        return true
    }

    /// Reads a page on the reader threads; while `ready` runs, on this loop, `frames` returns it.
    /// Connections that want the same page share one read.
    func fill(_ order: PageOrder, for owner: WorkOwner, ready: @escaping (PageReading) -> Void) {
        var waiter = Waiter(order: order, owner: owner, ready: ready)
        let page = WaitingPage(order)
        if let others = waiting[page] {
            waiter.isLate = others.work.map { !shared.readers.join($0, owner) } ?? false
            waiting[page]?.waiters.append(waiter)
            return
        }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        let (list, snapshot) = (shared.lists[order.list], snapshot(with: order))
        let work = shared.readers.submit(for: owner) { [pages = shared.pages] reader in
            let reading = PageReading(of: order, list, in: snapshot, pages, reader)
            this.execute { $0.filled(page, reading) }
        }
        waiting[page] = Waiting(work: work, revision: order.revision, waiters: [waiter])
    }

    private func filled(_ page: WaitingPage, _ reading: PageReading) {
        if case .frames(let frames) = reading { arrived = (page.name, frames) }
        defer { arrived = nil }
        guard let ended = waiting.removeValue(forKey: page) else { return }
        for waiter in ended.waiters {
            if waiter.asksAgain(after: reading, of: ended.revision) {
                fill(waiter.order, for: waiter.owner, ready: waiter.ready)
            } else {
                waiter.ready(reading)
            }
        }
    }
}

extension LoopState: SessionSurroundings {
    var refusalOfChanges: ValetError? { shared.access.refusal }
    var epoch: UInt64 { shared.epoch }
    var validEpochs: Set<UInt64> { shared.validEpochs }
    var serverName: String { shared.name }
    var servingNode: ServingNode? { shared.writer?.node?.serving }
    var now: NIODeadline { eventLoop.now }

    func catalog(for access: PrincipalAccess?) -> ServedCatalog {
        shared.catalogs.catalog(for: access)
    }

    func visitor(
        with token: [UInt8]?, orKey key: KeyFingerprint?
    ) throws(ValetError) -> Visitor? {
        try shared.authenticator?.visitor(with: token, orKey: key)
    }

    func snapshot(ofList list: Int) -> Snapshot? {
        shared.publications.update(&newest)
        return newest.snapshots[list]
    }

    func projection(list: Int, columns: [Int], left: inout Int) -> Projection {
        if let number = shared.lists[list].projectionNumber(of: columns, left: &left) {
            return Projection(number: number, columns: columns)
        }
        let all = Array(shared.lists[list].loader.description.columns.indices)
        return Projection(number: Projection.wholeRowNumber, columns: all)
    }
}
