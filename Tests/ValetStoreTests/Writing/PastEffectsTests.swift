import TestSupport
import Testing
import ValetModel

@testable import ValetStore

@Suite struct PastEffectsTests {
    /// Each command inserts ten rows into each of two tables.
    private static func effects(of revision: UInt64) -> [Effect] {
        (0..<20).map { number in
            Effect(
                table: Int(number % 2), rowID: number / 2, change: .insert([.integer(number)]),
                isOwn: true, previous: revision - 1)
        }
    }

    @Test func eachCommandIsReadOnce() {
        var (past, read) = (PastEffects(), [] as [UInt64])
        func cells(_ rowID: Int64, _ table: Int, at revision: UInt64) -> [Cell]? {
            let effect = past.effect(of: rowID, table, at: revision) {
                read.append(revision)
                return revision == 3 ? nil : Self.effects(of: revision)
            }
            guard case .insert(let cells) = effect?.change else { return nil }
            return cells
        }
        for rowID in 0..<10 as Range<Int64> {
            for revision in 1...3 as ClosedRange<UInt64> {
                let wanted: [Cell]? = revision == 3 ? nil : [.integer(2 * rowID + 1)]
                #expect(cells(rowID, 1, at: revision) == wanted)
            }
        }
        #expect(cells(10, 1, at: 1) == nil && cells(1, 2, at: 1) == nil)
        #expect(read == [1, 2, 3], "also a command that is not kept")
        for revision in 4...20 as ClosedRange<UInt64> { _ = cells(0, 0, at: revision) }
        #expect(cells(1, 0, at: 1) == [.integer(2)])
        #expect(read == Array(1...20) + [1], "few are remembered")
    }

    /// Of twenty effects each: one more command may be read while there is any room.
    @Test func soManyEffectsAreRead() {
        var past = PastEffects(limit: 50)
        for revision in 1...3 as ClosedRange<UInt64> {
            #expect(!past.isSpent)
            _ = past.effect(of: 0, 0, at: revision) { Self.effects(of: revision) }
        }
        #expect(past.isSpent)
        past.forget()
        #expect(!past.isSpent)
    }
}
