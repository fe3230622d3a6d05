import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

/// What the connections of one event loop share: the newest snapshot of each list, and who waits
/// for which page. Touched on that loop only, so that nothing here needs a lock.
final class LoopState {
    private let eventLoop: any EventLoop
    private let shared: SharedServices
    private var published: [ListKeeper.Published?]
    /// A page for those who wait for it: in the cache, others may have taken its place by now.
    private var arrived: (name: PageName, frames: [ByteBuffer])?
    /// Who waits for each page that is being read.
    private var waiting: [PageName: [(Result<Void, ValetError>) -> Void]] = [:]
    /// An empty buffer with room for what a turn of a connection sends, for whoever has a turn.
    var spareBuffer = ByteBuffer()
    /// Whose turn it is, of connections with much to do.
    let turns: LoopTurns
    /// Handlers of open connections, for the drain.
    var handlers: [ObjectIdentifier: ConnectionHandler] = [:]

    init(eventLoop: any EventLoop, shared: SharedServices) {
        self.eventLoop = eventLoop
        self.shared = shared
        turns = LoopTurns(eventLoop: eventLoop)
        published = Array(repeating: nil, count: shared.catalog.lists.count)
    }

    /// Takes a newer snapshot; publications of two builds may overtake each other.
    func publish(_ newer: ListKeeper.Published, ofList list: Int) {
        if let known = published[list], known.version >= newer.version { return }
        let older = published[list]
        published[list] = newer
        // This loop may be the last to hold an arrangement that was dropped.
        if let older, newer.lastDrop > older.version { shared.builders.free(older) }
    }

    func frames(of order: PageOrder) -> [ByteBuffer]? {
        if let arrived, arrived.name == order.name { return arrived.frames }
        return shared.pages.framesAtOnce(of: order.name)
    }

    /// Reads a page on the reader threads; while `ready` runs, on this loop, `frames` has it.
    /// Connections that want the same page wait for one reading.
    func fill(_ order: PageOrder, ready: @escaping (Result<Void, ValetError>) -> Void) {
        if waiting[order.name] != nil {
            waiting[order.name]!.append(ready)
            return
        }
        waiting[order.name] = [ready]
        let job = PageJob(order)
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        shared.readers.submit { [eventLoop, pages = shared.pages] reader in
            let frames = job.frames(pages, reader)
            eventLoop.execute { this.value.filled(job.name, frames) }
        }
    }

    private func filled(_ name: PageName, _ frames: Result<[ByteBuffer], ValetError>) {
        arrived = (try? frames.get()).map { (name, $0) }
        defer { arrived = nil }
        for ready in waiting.removeValue(forKey: name) ?? [] { ready(frames.map { _ in }) }
    }
}

extension LoopState: SessionSurroundings {
    var catalog: Catalog { shared.catalog }
    var epoch: UInt64 { shared.epoch }
    var serverName: String { shared.name }
    var now: NIODeadline { eventLoop.now }

    func snapshot(ofList list: Int) -> Snapshot? {
        published[list]?.snapshot
    }

    func version(ofList list: Int) -> UInt64 {
        published[list]?.version ?? 0
    }

    func projection(list: Int, columns: [Int]) -> Projection {
        if let number = shared.keepers[list].projectionNumber(of: columns) {
            return Projection(number: number, columns: columns)
        }
        let all = Array(shared.catalog.lists[list].columns.indices)
        return Projection(number: Projection.wholeRowNumber, columns: all)
    }
}

/// The reading of one page.
private struct PageJob: Sendable {
    let name: PageName
    private let list: Int
    private let columns: [Int]
    private let rowIDs: [Int64]

    init(_ order: PageOrder) {
        name = order.name
        list = order.source.list
        columns = order.source.projection.columns
        rowIDs = order.rowIDs
    }

    func frames(
        _ pages: PageCache, _ reader: Result<Reader, ValetError>
    ) -> Result<[ByteBuffer], ValetError> {
        // Another loop may have asked for it meanwhile, or the shelf was locked.
        if let frames = pages.frames(of: name) { return .success(frames) }
        do throws(ValetError) {
            var page = PageBuilder(rowIDs: rowIDs, columnCount: columns.count)
            try reader.get().rows(list: list, ids: rowIDs, columns: columns) { position, row in
                for column in columns.indices {
                    page.set(row: position, column: column, to: row[column])
                }
            }
            let frames = page.encode(name: name)
            pages.insert(frames, for: name)
            return .success(frames)
        } catch {
            return .failure(error)
        }
    }
}
