import ValetModel

/// Looks at a place and changes rows there: edits, new rows, deletions and undos.
struct EditingPerson: Person {
    private var numbers: SeededNumbers
    private var changesLeft = 0

    init(seed: UInt64, station: Int) {
        numbers = SeededNumbers(seed: seed ^ 0x6564_6974, index: station)
    }

    mutating func next(_ seen: Seen) -> Step {
        if changesLeft == 0 {
            changesLeft = 1 + numbers.below(8)
            return Step(.show(.busyPlace(of: seen.rows, with: &numbers)))
        }
        changesLeft -= 1
        return Step(after: .random(0...20, with: &numbers), .change(anyChange()))
    }

    private mutating func anyChange() -> RowAction {
        switch numbers.below(20) {
        case 0..<3: .insert
        case 3..<5: .delete
        case 5..<8: .undo
        case 8..<14: .check
        default: .edit
        }
    }
}

/// Lets a window stand where others change rows, and now and then goes elsewhere.
struct WatchingPerson: Person {
    private var numbers: SeededNumbers
    private var isWatching = false

    init(seed: UInt64, station: Int) {
        numbers = SeededNumbers(seed: seed ^ 0x7761_7463_68, index: station)
    }

    mutating func next(_ seen: Seen) -> Step {
        let place = Int.busyPlace(of: seen.rows, with: &numbers)
        guard isWatching else {
            isWatching = true
            return Step(.follow(place))
        }
        return Step(after: .random(200...2_500, with: &numbers), .follow(place))
    }
}

extension Int {
    /// Half of the time one of eight places that all people share, else anywhere.
    fileprivate static func busyPlace(of rows: Int, with numbers: inout SeededNumbers) -> Int {
        if numbers.happens(perThousand: 500) { return numbers.below(Swift.max(1, rows)) }
        return rows / 8 * numbers.below(8)
    }
}
