import NIOCore
import TestSupport
import Testing
import ValetArrangement
import ValetModel

@testable import ValetServer

/// When the memory of deleted rows is taken back.
extension ListKeeperTests {
    /// A list of rows whose deletion makes a compaction worth it, and its deletions.
    private mutating func openMany() throws -> [RowChange] {
        let count = Int64(3 * ColumnChunk.slots)
        try open(Self.makes(count))
        return (10...Int64(ColumnChunk.slots + 10)).map { .delete(rowID: $0) }
    }

    /// The same, while a thread compacts what the deletions have left, under number 3.
    private mutating func openCompacting() throws -> Snapshot {
        _ = commit(try openMany(), revision: 1)
        let begun = keeper.compactionBegan(3)
        return try #require(begun)
    }

    @Test mutating func theMemoryOfDeletedRowsIsTakenBackBesideTheShownRows() throws {
        let deletions = try openMany()
        #expect(commit(deletions, revision: 1) == [.published, .compact(3)])
        _ = commit([.delete(rowID: 1)], revision: 2)
        let begun = keeper.compactionBegan(3)
        let start = try #require(begun)
        #expect(start.revision == 2)
        #expect(
            commit([.delete(rowID: 2)], revision: 3) == [.published], "one compaction at a time")
        // Somebody opens another grouping meanwhile.
        _ = ask(.cars(by: 1), 2)
        _ = try build(4)
        let compacted = try start.compacted()
        #expect(keeper.compactionEnded(3, compacted, at: Self.start) == [.build(5)])
        _ = commit([.delete(rowID: 3)], revision: 4)
        #expect(keeper.snapshot?.cache.isWorthCompacting == true, "shown until all is arranged")
        #expect(try build(5) == [.replaced])
        let cache = try #require(keeper.snapshot?.cache)
        #expect(!cache.isWorthCompacting && cache.rowCount == 2 * ColumnChunk.slots - 4)
        #expect(rows()?.count == cache.rowCount && rows(.cars(by: 1))?.count == cache.rowCount)
        #expect(keeper.snapshot?.revision == 4 && keeper.compaction == nil)
    }

    @Test mutating func manyChangesDuringACompactionAreMadeUpOnAThread() throws {
        let start = try openCompacting()
        let last = Int64(3 * ColumnChunk.slots)
        let changes = (0...Int64(Limits.rowsCaughtUpInTurn)).map {
            RowChange.update(rowID: last - $0, cells: [0: .text("Make \($0)")])
        }
        _ = commit(changes, revision: 2)
        let ended = keeper.compactionEnded(3, try start.compacted(), at: Self.start)
        #expect(ended == [.catchUp(3)])
        #expect(keeper.rowsUnknown(1, at: Self.start) == [], "one newcomer at a time")
        guard case .newcomer(let compacted, let missed)? = keeper.catchUpBegan(3) else {
            throw Unexpected("nothing to bring up to date")
        }
        #expect(missed.count == changes.count)
        _ = commit([.delete(rowID: 1)], revision: 3)
        let newest = compacted.catchingUp(with: missed, revision: compacted.revision)
        #expect(keeper.newcomerCaughtUp(3, newest, at: Self.start) == [.replaced])
        let cache = try #require(keeper.snapshot?.cache)
        #expect(rows()?.count == cache.rowCount && rows()?.contains(1) == false)
        #expect(!cache.isWorthCompacting)
    }

    /// Triggers have told which rows another program changed: nothing is unknown.
    @Test mutating func aCompactionTakesInWhatIsKnownOfAnotherProgram() throws {
        for changed in [[], [.delete(rowID: 1)]] as [[RowChange]] {
            keeper = ListKeeper(description: FakeLists.cars, numbers: LeafNumbers())
            let start = try openCompacting()
            _ = keeper.found(changed, revision: 10, at: Self.start)
            #expect(keeper.rowsUnknown(10, at: Self.start) == [])
            let ended = keeper.compactionEnded(3, try start.compacted(), at: Self.start)
            #expect(ended == [.replaced])
            #expect(keeper.snapshot?.revision == 10 && !keeper.isOutdated)
            #expect(keeper.snapshot?.cache.isWorthCompacting == false)
            #expect(rows()?.contains(1) == changed.isEmpty)
        }
    }

    @Test mutating func aCompactionGivesWayToAReading() throws {
        let start = try openCompacting()
        #expect(
            keeper.rowsUnknown(2, at: Self.start + .hours(1))
                == [.cancel(3), Self.reading(4, for: .server)])
        let compacted = try start.compacted()
        #expect(keeper.compactionEnded(3, compacted, at: Self.start) == [], "void")
        #expect(keeper.snapshot?.cache.isWorthCompacting == true)
    }
}
