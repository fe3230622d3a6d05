import Testing
import ValetArrangement
import ValetModel

@Suite struct CompactionTests {
    private static let byName = ArrangementSpecification(
        sectionColumn: 0, expression: .firstLetter, rowOrder: [SortKey(column: 0)])

    /// Rows come and go, each with a text that was never there before.
    @Test func churnDoesNotTakeMoreAndMoreMemory() throws {
        var random = SeededNumbers(seed: 61)
        let (rows, turns) = (6_000, 20)
        let list = ModelList(texts: (0..<rows).map { "plate \($0)" })
        var snapshot = try Snapshot(of: list).opening(Self.byName)
        var ids = Array(list.rows.keys.sorted())
        var next = Int64(rows)
        var most = [0, 0, 0, 0]
        var compactions = 0
        for turn in 0..<turns {
            var changes: [RowChange] = []
            for _ in 0..<rows / 2 {
                let place = Int.random(in: ids.indices, using: &random)
                if Bool.random(using: &random) {
                    changes.append(.delete(rowID: ids[place]))
                    ids[place] = next
                    changes.append(.insert(rowID: next, cells: [0: .text("plate \(next)")]))
                } else {
                    changes.append(.update(rowID: ids[place], cells: [0: .text("plate \(next)")]))
                }
                next += 1
            }
            snapshot = try snapshot.after(changes, revision: snapshot.revision + 1)
            if snapshot.cache.isWorthCompacting {
                snapshot = try snapshot.compacted()
                compactions += 1
                #expect(!snapshot.cache.isWorthCompacting)
            }
            most[turn * 4 / turns] = max(most[turn * 4 / turns], snapshot.cache.byteCount)
        }
        snapshot.checkInvariants()
        #expect(snapshot.cache.rowCount == rows)
        #expect(compactions > 2 && compactions < turns)
        #expect(most[1...].allSatisfy { $0 < most[0] * 11 / 10 }, "\(most)")
    }

    /// A row id below the others stands in no order, and neither do those inserted after it.
    @Test func rowsInsertedOutOfOrderAreFound() throws {
        var list = ModelList([])
        list.rows = [10: [.text("ten")], 20: [.text("twenty")]]
        var snapshot = try Snapshot(of: list).opening(Self.byName)
        let batches: [[RowChange]] = [
            [.insert(rowID: 30, cells: [:]), .insert(rowID: 31, cells: [:])],
            [.delete(rowID: 30)], [.insert(rowID: 5, cells: [:]), .insert(rowID: 40, cells: [:])],
            [.delete(rowID: 40), .insert(rowID: 40, cells: [:]), .delete(rowID: 40)],
            [.insert(rowID: 30, cells: [:]), .insert(rowID: 7, cells: [:]), .delete(rowID: 10)],
        ]
        for batch in batches {
            batch.forEach { list.apply($0) }
            snapshot = try snapshot.after(batch, revision: snapshot.revision + 1)
            for cache in [snapshot.cache, try snapshot.compacted().cache] {
                let found = (0...50).filter { cache.slot(of: $0) != nil }
                #expect(found == list.rows.keys.sorted())
                #expect(found.allSatisfy { cache.slot(of: $0).map(cache.rowID) == $0 })
            }
        }
    }

    @Test func aCompactionCanBeCancelled() throws {
        let snapshot = Snapshot(of: ModelList([.integer(1)], type: .integer))
        #expect(throws: CancellationError.self) { try snapshot.compacted { true } }
    }
}
