import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

/// The state that connections of one event loop share: the newest snapshot of each list, and the
/// waiters for each page. Used on that loop only, so it needs no locks.
final class LoopState {
    private let eventLoop: any EventLoop
    private let shared: SharedServices
    private var newest: Publications.Newest
    /// A page for its waiters: the cache may already have evicted it.
    private var arrived: (name: PageName, frames: [ByteBuffer])?
    /// The waiters for each page that is being read.
    private var waiting: [PageName: [(PageReading) -> Void]] = [:]
    /// An empty buffer with capacity for one turn's output, reused by all connections.
    var spareBuffer = ByteBuffer()
    /// Schedules the turns of busy connections.
    let turns: LoopTurns
    /// Handlers of open connections, to drain them.
    var handlers: [ObjectIdentifier: ConnectionHandler] = [:]
    /// Answers windows again when rows have changed.
    let windows: LoopPasses
    /// Continues feeds when the log has grown.
    let feeds: LoopPasses
    /// Sends clients the presence of others.
    let presences: LoopPasses

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
            eventLoop: eventLoop, turns: turns,
            interval: PresenceNews.interval,
            begins: { shared.presence.notice.begun() }
        ) { $0.lookAtPresence() }
        newest = Publications.Newest(
            snapshots: Array(repeating: nil, count: shared.catalog.lists.count))
    }

    /// Releases older snapshots, even when no requests arrive, and answers windows that wait for
    /// newer rows.
    func take(_ notice: KeptList.Notice, ofList list: Int) {
        shared.publications.update(&newest)
        switch notice {
        case .published: windows.lookSoon()
        case .failed(let error):
            for handler in handlers.values { handler.rowsFailed(list, error) }
        }
    }

    func frames(of order: PageOrder) -> [ByteBuffer]? {
        if let arrived, arrived.name == order.name { return arrived.frames }
        return shared.pages.framesAtOnce(of: order.name)
    }

    /// Reads a page on the reader threads; while `ready` runs, on this loop, `frames` returns it.
    /// Connections that want the same page share one read.
    func fill(
        _ order: PageOrder, for owner: WorkOwner, ready: @escaping (PageReading) -> Void
    ) {
        if waiting[order.name] != nil {
            waiting[order.name]!.append(ready)
            return
        }
        waiting[order.name] = [ready]
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        let list = shared.lists[order.list]
        shared.readers.submit(for: owner) { [eventLoop, pages = shared.pages] reader in
            let reading = PageReading(of: order, list, pages, reader)
            eventLoop.execute { this.value.filled(order.name, reading) }
        }
    }

    private func filled(_ name: PageName, _ reading: PageReading) {
        if case .frames(let frames) = reading { arrived = (name, frames) }
        defer { arrived = nil }
        for ready in waiting.removeValue(forKey: name) ?? [] { ready(reading) }
    }
}

extension LoopState: SessionSurroundings {
    var catalog: Catalog { shared.catalog }
    var refusalOfChanges: ValetError? { shared.access.refusal }
    var epoch: UInt64 { shared.epoch }
    var serverName: String { shared.name }
    var now: NIODeadline { eventLoop.now }

    func snapshot(ofList list: Int) -> Snapshot? {
        shared.publications.update(&newest)
        return newest.snapshots[list]
    }

    func projection(list: Int, columns: [Int]) -> Projection {
        if let number = shared.lists[list].projectionNumber(of: columns) {
            return Projection(number: number, columns: columns)
        }
        let all = Array(shared.catalog.lists[list].columns.indices)
        return Projection(number: Projection.wholeRowNumber, columns: all)
    }
}

/// The result of reading a page.
enum PageReading: Sendable {
    case frames([ByteBuffer])
    /// Rows of the page have changed since it was named, so it can't be read any more.
    case outdated
    case failed(ValetError)

    /// Reads the page unless it is cached, and caches it.
    init(
        of order: PageOrder, _ list: KeptList, _ pages: PageCache,
        _ reader: Result<Reader, ValetError>
    ) {
        // Another loop may have read it meanwhile, or the shard was locked.
        if let frames = pages.frames(of: order.name) {
            self = .frames(frames)
            return
        }
        do throws(ValetError) {
            let reader = try reader.get()
            let page = Result { () throws(ValetError) in try Self.page(order, reader) }
            // Looked at after the rows were read: they are of this revision or an earlier one.
            let newest = try reader.revision(ofList: order.list)
            guard list.isUntouched(order.rowIDs, after: order.revision, to: newest) else {
                self = .outdated
                return
            }
            let frames = try page.get().encode(name: order.name)
            pages.insert(frames, for: order.name)
            self = .frames(frames)
        } catch {
            self = .failed(error)
        }
    }

    private static func page(
        _ order: PageOrder, _ reader: Reader
    ) throws(ValetError) -> PageBuilder {
        var page = PageBuilder(rowIDs: order.rowIDs, columnCount: order.columns.count)
        try reader.rows(list: order.list, ids: order.rowIDs, columns: order.columns) {
            (position, row) in
            for column in order.columns.indices {
                page.set(row: position, column: column, to: row[column])
            }
        }
        return page
    }
}
