import Testing
import ValetArrangement
import ValetModel

/// Rows are found by a key, whether or not they stand in the order of their keys.
@Suite struct KeyTests {
    private static let keys: [Cell] = [
        .integer(1), .integer(2), .integer(.max), .real(2), .real(2.5), .real(0x1p63), .text("2"),
        .text("Kia"), .text("kia"), .text("KIA "), .text("Škoda"), .text("skoda"), .null,
        .text(""), .malformedText(bytes: [0x41, 0xFF], byteCount: 2),
    ]

    private static func found(
        _ values: Set<Cell>, in snapshot: Snapshot, most: Int = .max
    ) -> [Int64: Cell]? {
        snapshot.rows(having: values, in: 0, most: most).map {
            Dictionary($0.map { ($0.rowID, $0.value) }) { one, _ in one }
        }
    }

    @Test(arguments: UInt64(1)...10) func rowsOfAKeyAreThoseThatHaveIt(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        func key() -> Cell { Self.keys[numbers.below(Self.keys.count)] }
        var list = ModelList((0..<300).map { _ in key() })
        let scanned = Snapshot(of: list)
        let order = Snapshot.order(byKeys: 0)
        var snapshots = [scanned, try scanned.building(order).reduce(scanned) { $0.adding($1) }]
        #expect(snapshots[1].arrangements[order] != nil)
        for step in 0..<40 {
            let values = Set((0...numbers.below(4)).map { _ in key() })
            let keys = values.filter {
                switch $0 {
                case .integer, .real: true
                case .text(let text): !text.isEmpty
                default: false
                }
            }
            let expected = list.rows.compactMapValues { keys.contains($0[0]) ? $0[0] : nil }
            for snapshot in snapshots where !keys.isEmpty {
                #expect(
                    Self.found(keys, in: snapshot) == expected,
                    "seed \(seed), step \(step): \(values)")
            }
            #expect(Self.found(values.subtracting(keys), in: snapshots[1]) == [:], "no keys")
            let change: RowChange =
                switch numbers.below(3) {
                case 0: .insert(rowID: Int64(1_000 + step), cells: [0: key()])
                case 1: .update(rowID: list.rows.keys.sorted()[step], cells: [0: key()])
                default: .delete(rowID: list.rows.keys.sorted()[step + 7])
                }
            list.apply(change)
            snapshots = try snapshots.map {
                try #require($0.applying([change], revision: UInt64(step + 1)))
            }
        }
    }

    /// Rather than half of them.
    @Test func tooManyRowsAreNone() throws {
        let scanned = Snapshot(of: ModelList((0..<20).map { .integer($0 / 10) }))
        let ordered = try scanned.building(Snapshot.order(byKeys: 0))
            .reduce(scanned) { $0.adding($1) }
        for snapshot in [scanned, ordered] {
            #expect(Self.found([.integer(1)], in: snapshot, most: 10)?.count == 10)
            #expect(Self.found([.integer(1)], in: snapshot, most: 9) == nil)
            #expect(Self.found([.integer(0), .integer(1)], in: snapshot, most: 19) == nil)
            #expect(Self.found([.integer(7)], in: snapshot, most: 0) == [:])
            #expect(snapshot.rows(having: [.integer(1)], in: 5, most: 9) == nil, "no such column")
        }
    }
}
