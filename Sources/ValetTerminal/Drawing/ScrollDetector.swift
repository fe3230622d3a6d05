/// Finds a block of rows that stands somewhere else in the next screen.
enum ScrollDetector {
    struct Scroll: Hashable {
        /// The rows that take part: those that moved, where they were and where they are.
        var rows: Range<Int>
        /// How far up the contents go; negative is down.
        var count: Int
    }

    /// Fewer rows than this are cheaper to write.
    private static let fewestRows = 3
    /// Columns at the right edge that may differ all the same: a section index stays while the list
    /// beside it moves.
    private static let fixedColumns = 4

    static func scroll(from previous: Screen, to next: Screen) -> Scroll? {
        let old = rowHashes(of: previous)
        let new = rowHashes(of: next)
        let changed = new.indices.filter { new[$0] != old[$0] }
        guard changed.count >= fewestRows else { return nil }
        var best: (scroll: Scroll, matches: Int)?
        for count in (1 - new.count)..<new.count where count != 0 {
            let matches = changed.filter { row in
                old.indices.contains(row + count) && old[row + count] == new[row]
            }
            guard matches.count >= fewestRows, matches.count > best?.matches ?? 0,
                let first = matches.first, let last = matches.last
            else { continue }
            let rows = min(first, first + count)..<max(last, last + count) + 1
            best = (Scroll(rows: rows, count: count), matches.count)
        }
        return best?.scroll
    }

    private static func rowHashes(of screen: Screen) -> [Int] {
        (0..<screen.size.rows).map { row in
            var hasher = Hasher()
            for cell in screen.row(row).dropLast(fixedColumns) { hasher.combine(cell) }
            return hasher.finalize()
        }
    }
}
