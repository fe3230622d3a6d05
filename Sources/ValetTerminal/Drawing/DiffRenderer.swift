/// Turns the difference of two screens into bytes for a terminal.
///
/// The terminal is taken to show `previous`, with default colours and its cursor where `previous`
/// has it; every frame leaves it so. Only changed cells are written. When a block of rows moved,
/// the frame is also made with a scroll of that block first, and the shorter of the two is taken:
/// so a scroll is never guessed wrong, only not found. Frames need the terminal's automatic wrap to
/// be off.
package struct DiffRenderer: Sendable {
    package var hasColors: Bool
    package var tints: Tint.Support
    /// Only for terminals that say they have it (mode 2026).
    package var hasSynchronizedOutput: Bool
    /// Behind shaded cells; nil until the terminal has told its own. After a change everything has
    /// to be drawn anew.
    package var shade: Tint?

    package init(
        hasColors: Bool = true, tints: Tint.Support = .direct, hasSynchronizedOutput: Bool = false,
        shade: Tint? = nil
    ) {
        self.hasColors = hasColors
        self.tints = tints
        self.shade = shade
        self.hasSynchronizedOutput = hasSynchronizedOutput
    }

    /// For the terminal that `TERM` and `COLORTERM` name.
    package init(hasColors: Bool, term: String?, colorTerm: String?) {
        let tints: Tint.Support =
            if ["truecolor", "24bit"].contains(colorTerm) {
                .direct
            } else {
                (term ?? "").firstRange(of: "256color") != nil ? .palette : .none
            }
        self.init(hasColors: hasColors, tints: tints)
    }

    /// Whether it makes sense to ask the terminal for its background.
    package var canShade: Bool { hasColors && tints != .none }

    var hasShade: Bool { canShade && shade != nil }

    /// Larger frames hide the cursor while they are drawn, so that it does not flicker.
    private static let bytesDrawnWithCursor = 256

    package func bytes(from previous: Screen?, to next: Screen) -> [UInt8] {
        var body = bodyBytes(from: previous, to: next)
        if body.isEmpty { return [] }
        if body.count > DiffRenderer.bytesDrawnWithCursor, next.cursor != nil {
            body = ControlSequence.hideCursor + body + ControlSequence.showCursor
        }
        guard hasSynchronizedOutput else { return body }
        return ControlSequence.beginSynchronized + body + ControlSequence.endSynchronized
    }

    private func bodyBytes(from previous: Screen?, to next: Screen) -> [UInt8] {
        guard let previous, previous.size == next.size else {
            var frame = FrameWriter(self, size: next.size, cursor: nil)
            frame.clear()
            frame.draw(from: Screen(size: next.size), to: next)
            frame.finish(cursor: next.cursor, wasShown: nil)
            return frame.bytes
        }
        guard previous != next else { return [] }
        let scrolled = ScrollDetector.scroll(from: previous, to: next).flatMap {
            frame(from: previous, to: next, scroll: $0)
        }
        let limit = scrolled?.count ?? .max
        return frame(from: previous, to: next, upTo: limit) ?? scrolled ?? []
    }

    /// - Returns: nil if the frame has more than `limit` bytes.
    private func frame(
        from previous: Screen, to next: Screen, scroll: ScrollDetector.Scroll? = nil,
        upTo limit: Int = .max
    ) -> [UInt8]? {
        var frame = FrameWriter(self, size: next.size, cursor: previous.cursor)
        if let scroll { frame.scroll(scroll) }
        frame.draw(from: previous, scroll, to: next, upTo: limit)
        frame.finish(cursor: next.cursor, wasShown: previous.cursor != nil)
        return frame.bytes.count <= limit ? frame.bytes : nil
    }
}

/// Finds a block of rows that stands somewhere else in the next screen.
enum ScrollDetector {
    struct Scroll: Hashable {
        /// The rows that take part: those that moved, where they were and where they are.
        var rows: Range<Int>
        /// How far up the contents go; negative is down.
        var count: Int

        /// The row whose contents come to stand in `row`; nil for one that comes free.
        func source(of row: Int) -> Int? {
            guard rows.contains(row) else { return row }
            return rows.contains(row + count) ? row + count : nil
        }
    }

    /// Fewer rows than this are cheaper to write.
    private static let fewestRows = 3
    /// Columns at the right edge that may differ all the same: a section index stays while the list
    /// beside it moves.
    private static let fixedColumns = 4

    static func scroll(from previous: Screen, to next: Screen) -> Scroll? {
        let different = (0..<next.size.rows).count { previous.packedRow($0) != next.packedRow($0) }
        guard different >= fewestRows else { return nil }
        let old = rowHashes(of: previous)
        let new = rowHashes(of: next)
        let changed = new.indices.filter { old[$0] != new[$0] }
        /// For each way to scroll, how many changed rows it brings to their places.
        var matches = Array(repeating: 0, count: 2 * new.count)
        for row in changed {
            for source in old.indices where old[source] == new[row] {
                matches[source - row + new.count] += 1
            }
        }
        guard let most = matches.max(), most >= fewestRows,
            let count = matches.firstIndex(of: most).map({ $0 - new.count })
        else { return nil }
        let moved = changed.filter { row in
            old.indices.contains(row + count) && old[row + count] == new[row]
        }
        guard let first = moved.first, let last = moved.last else { return nil }
        let rows = min(first, first + count)..<max(last, last + count) + 1
        return Scroll(rows: rows, count: count)
    }

    /// Without shades, which many terminals don't show. Rows that are taken for the same make a
    /// frame longer, never wrong.
    private static func rowHashes(of screen: Screen) -> [UInt64] {
        (0..<screen.size.rows).map { row in
            let cells = screen.packedRow(row).dropLast(fixedColumns)
            return cells.enumerated().reduce(0) { hash, cell in
                hash &+ cell.element.withoutShade.hash(inColumn: cell.offset)
            }
        }
    }
}
