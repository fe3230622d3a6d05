import Testing
import ValetArrangement
import ValetModel

/// A leaf's number names bytes that never change.
@Suite struct LeafNumberTests {
    private static let byName = ArrangementSpecification(
        sectionColumn: 0, expression: .wholeValue, rowOrder: [SortKey(column: 1)])

    private static func snapshot(rows: Int) throws -> Snapshot {
        var list = ModelList(columns: [
            ColumnDescription(name: "make", type: .text),
            ColumnDescription(name: "year", type: .integer),
            ColumnDescription(name: "note", type: .text),
        ])
        for id in 0..<rows {
            list.rows[Int64(id)] = [.text("make \(id % 40)"), .integer(Int64(id)), .null]
        }
        return try Snapshot(of: list).opening(byName)
    }

    /// What the pages of a snapshot hold: row ids and the rows' cells' ages, by leaf number.
    private static func leaves(
        _ snapshot: Snapshot, _ specification: ArrangementSpecification, ages: [Int64: Int] = [:]
    ) -> [UInt64: [Int64]] {
        let rows = snapshot.rows(specification)
        let leaves = rows.window(at: .ordinal(0), rowsBefore: 0, rows: .max)!.leaves
        #expect(Set(leaves.map(\.number)).count == leaves.count)
        return Dictionary(
            uniqueKeysWithValues: leaves.map { leaf in
                let ids = leaf.slots.map(rows.cache.rowID)
                return (leaf.number, ids + ids.map { Int64(ages[$0] ?? 0) })
            })
    }

    @Test func anInsertAtTheTopRenumbersOneOrTwoLeaves() throws {
        let before = try Self.snapshot(rows: 10_000)
        let after = try before.after(
            [.insert(rowID: 20_000, cells: [0: .text("a"), 1: .integer(0)])], revision: 1)
        let old = Self.leaves(before, Self.byName)
        let new = Self.leaves(after, Self.byName)
        let fresh = Set(new.keys).subtracting(old.keys)
        #expect((1...2).contains(fresh.count))
        #expect(new.allSatisfy { fresh.contains($0.key) || old[$0.key] == $0.value })
        // It began a section of its own and took none from the row behind.
        #expect(after.rows(Self.byName).sectionCount == 41)
    }

    @Test func aChangedCellRenumbersItsLeafAndNoOther() throws {
        let before = try Self.snapshot(rows: 1_000)
        let after = try before.after([.update(rowID: 500, cells: [2: .text("x")])], revision: 1)
        let old = Self.leaves(before, Self.byName)
        let new = Self.leaves(after, Self.byName)
        let gone = Set(old.keys).subtracting(new.keys)
        let fresh = Set(new.keys).subtracting(old.keys)
        #expect(gone.count == 1 && fresh.count == 1)
        #expect(old[gone.first!] == new[fresh.first!])
        #expect(new[fresh.first!]!.contains(500))
    }

    @Test func aRowThatASearchDoesNotFindRenumbersNothingOfIt() throws {
        let filter = Filter.search("make 7")
        var found = Self.byName
        found.filter = filter
        let before = try Self.snapshot(rows: 1_000).opening(found)
        let after = try before.after(
            [.update(rowID: 8, cells: [2: .text("x")]), .delete(rowID: 9)], revision: 1)
        #expect(Self.leaves(after, found) == Self.leaves(before, found))
    }

    /// A search result is bits until its first edit, which makes one leaf of them.
    @Test func theFirstEditOfASearchRenumbersOneLeaf() throws {
        let filter = Filter.search("make")
        var found = Self.byName
        found.filter = filter
        let before = try Self.snapshot(rows: 10_000).opening(found)
        let old = Self.leaves(before, found)
        for change in [
            RowChange.update(rowID: 5_000, cells: [2: .text("x")]), .delete(rowID: 5_000),
            .insert(rowID: 20_000, cells: [0: .text("make 7"), 1: .integer(5_000)]),
        ] {
            let after = try before.after([change], revision: 1)
            after.checkInvariants()
            let new = Self.leaves(after, found)
            let fresh = Set(new.keys).subtracting(old.keys)
            #expect((1...2).contains(fresh.count), "\(change)")
            #expect(new.allSatisfy { fresh.contains($0.key) || old[$0.key] == $0.value })
        }
        #expect(Self.leaves(before, found) == old)
    }

    @Test func aNumberNamesTheSameRowsAndCellsForEver() throws {
        var random = SeededNumbers(seed: 31)
        var descending = Self.byName
        descending.isDescending = true
        var found = Self.byName
        found.filter = Filter.search("1")
        var snapshot = try Self.snapshot(rows: 300).opening(descending).opening(found)
        var known: [UInt64: [Int64]] = [:]
        var ages: [Int64: Int] = [:]
        var next: Int64 = 1_000
        var batch: [RowChange] = []
        var ids = Set((0..<300).map(Int64.init))
        for step in 0..<300 {
            let id = ids.sorted().randomElement(using: &random)!
            let change: RowChange
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                next += 1
                ids.insert(next)
                let make = Int.random(in: 0..<40, using: &random)
                change = .insert(rowID: next, cells: [0: .text("make \(make)"), 1: .integer(7)])
            case 1:
                ids.remove(id)
                change = .delete(rowID: id)
            case 2: change = .update(rowID: id, cells: [2: .integer(Int64(step))])
            default: change = .update(rowID: id, cells: [1: .integer(Int64(step))])
            }
            ages[change.rowID] = step + 1
            batch.append(change)
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            snapshot = try snapshot.after(batch, revision: UInt64(step + 1))
            batch = []
            if step % 10 == 0 { snapshot = try snapshot.compacted() }
            for specification in [Self.byName, descending, found] {
                for (number, content) in Self.leaves(snapshot, specification, ages: ages) {
                    #expect(known[number, default: content] == content, "step \(step)")
                    known[number] = content
                }
            }
        }
    }
}
