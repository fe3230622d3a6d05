import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

/// The result of reading a page.
enum PageReading: Sendable {
    case frames([ByteBuffer])
    /// Rows of the page have changed since it was named, so it can't be read any more.
    case outdated
    case failed(ValetError)

    /// Makes or reads the page unless it is cached, and caches it.
    ///
    /// - Parameter snapshot: one that has the page's rows in memory, if there is any.
    init(
        of order: PageOrder, _ list: KeptList, in snapshot: Snapshot?, _ pages: PageCache,
        _ reader: Result<Reader, ValetError>
    ) {
        do throws(ValetError) {
            self = try Self.read(order, list, in: snapshot, pages, reader)
        } catch {
            self = .failed(error)
        }
    }

    private static func read(
        _ order: PageOrder, _ list: KeptList, in snapshot: Snapshot?, _ pages: PageCache,
        _ reader: Result<Reader, ValetError>
    ) throws(ValetError) -> PageReading {
        // Another loop may have read it meanwhile, or the shard was locked.
        if let frames = pages.frames(of: order.name) { return .frames(frames) }
        // Without a reader the server is shutting down, or nobody waits for the page.
        let reader = try reader.get()
        let page: PageBuilder
        if let made = snapshot.flatMap({ PageBuilder(order, in: $0) }) {
            page = made
        } else if let pin = order.pin {
            page = try pin.read { reader throws(ValetError) in try PageBuilder(order, reader) }
        } else {
            let read = Result { () throws(ValetError) in try PageBuilder(order, reader) }
            // Looked at after the rows were read: they are of this revision or an earlier one.
            let newest = try reader.revision(ofList: order.list)
            guard list.isUntouched(order.rowIDs, after: order.revision, to: newest) else {
                return .outdated
            }
            page = try read.get()
        }
        let frames = page.encode(name: order.name)
        pages.insert(frames, for: order.name)
        return .frames(frames)
    }
}

extension PageBuilder {
    /// The page as the columns in memory have it; nil if they have only the beginning of a long
    /// text.
    init?(_ order: PageOrder, in snapshot: Snapshot) {
        self.init(rowIDs: order.rowIDs, columnCount: order.columns.count)
        for (position, index) in order.columns.enumerated() {
            let areWhole = snapshot.cache.column(index).forEachWhole(order.slots) { row, value in
                set(row: row, column: position, to: value)
            } again: { row, earlier in
                set(row: row, column: position, asIn: earlier)
            }
            guard areWhole else { return nil }
        }
    }

    /// The page as the file has it.
    init(_ order: PageOrder, _ reader: Reader) throws(ValetError) {
        self.init(rowIDs: order.rowIDs, columnCount: order.columns.count)
        try reader.rows(list: order.list, ids: order.rowIDs, columns: order.columns) {
            (position, row) in
            for column in order.columns.indices {
                set(row: position, column: column, to: row[column])
            }
        }
    }
}

extension PageOrder {
    /// The approximate microseconds that the page takes to be made from memory; nil if it has so
    /// many cells that it must not be made on an event loop.
    var costOnLoop: Int? {
        let cells = rowIDs.count * columns.count
        return cells <= Limits.cellsMadeOnLoop ? max(60, 20 + cells / 16) : nil
    }

    /// True if the snapshot has all columns of the page, and its rows in the same slots.
    func isInMemory(of snapshot: Snapshot) -> Bool {
        snapshot.revision == revision && columns.allSatisfy { snapshot.cache.columns[$0] != nil }
            // Compaction gives rows other slots.
            && snapshot.cache.hasRows(rowIDs, in: slots)
    }
}
