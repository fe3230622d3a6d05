import ValetModel

/// Where an anchor is.
package struct AnchorPlace: Equatable, Sendable {
    /// Flat ordinal; the row count past the end, where there is no row.
    package let ordinal: Int
    /// Which of the anchor's rows held, from 1 on; 0 for none.
    package let row: Int
    /// The ordinals of the anchor's rows that decided, if none of those looked for was missing.
    package let deciding: [Int]?

    package init(ordinal: Int, row: Int = 0, deciding: [Int]? = nil) {
        self.ordinal = ordinal
        self.row = row
        self.deciding = deciding
    }
}

extension ArrangedRows {
    /// - Parameters:
    ///   - within: how many rows the places of two rows may be apart for the first to hold.
    ///   - last: the anchor's last ordinal, for a row that is gone.
    /// - Returns: nil for a row that is not in the view.
    func place(of anchor: Anchor, within rows: Int, last: Int?) -> AnchorPlace? {
        switch anchor {
        case .rowID(let id):
            if let ordinal = locate(id)?.ordinal {
                return AnchorPlace(ordinal: ordinal, row: 1, deciding: [ordinal])
            }
            return last.map { AnchorPlace(ordinal: min($0, rowCount)) }
        case .rows(let listed, let otherwise):
            return place(of: listed, within: rows)
                ?? place(of: otherwise, within: rows, last: last).map {
                    AnchorPlace(ordinal: $0.ordinal)
                }
        case .ordinal, .path, .fraction, .end:
            return AnchorPlace(ordinal: ordinal(of: anchor))
        }
    }

    /// The current flat ordinal of an anchor that names no row.
    package func ordinal(of anchor: Anchor) -> Int {
        switch anchor {
        case .ordinal(let ordinal): min(ordinal, rowCount)
        case .path(let path):
            path.section < sectionCount
                ? min(
                    arrangement.order.firstRow(ofSection: path.section) + min(path.row, rowCount),
                    rowCount)
                : rowCount
        case .fraction(let fraction):
            Int((UInt64(rowCount) * UInt64(fraction)) >> 32)
        case .end, .rowID, .rows: rowCount
        }
    }

    /// The first row that is there holds its line, unless it has gone further away from the next
    /// one than `rows`: then the next one is looked at in the same way.
    private func place(of listed: [AnchorRow], within rows: Int) -> AnchorPlace? {
        var candidate: (row: Int, place: Int, ordinal: Int)?
        var isEveryOneThere = true
        for (index, row) in listed.enumerated() {
            guard let ordinal = locate(row.id)?.ordinal else {
                isEveryOneThere = false
                continue
            }
            let this = (index + 1, ordinal - max(-.max / 4, min(row.line, .max / 4)), ordinal)
            if let candidate, abs(candidate.place - this.1) <= rows {
                return AnchorPlace(
                    ordinal: cut(candidate.place), row: candidate.row,
                    deciding: isEveryOneThere && candidate.row == 1
                        ? [candidate.ordinal, ordinal] : nil)
            }
            candidate = this
        }
        return candidate.map {
            AnchorPlace(
                ordinal: cut($0.place), row: $0.row,
                deciding: isEveryOneThere && listed.count == 1 ? [$0.ordinal] : nil)
        }
    }

    private func cut(_ ordinal: Int) -> Int { max(0, min(ordinal, rowCount)) }
}
