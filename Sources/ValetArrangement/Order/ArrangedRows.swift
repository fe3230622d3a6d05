import ValetModel

/// An arrangement with the cache that its slots live in: what a reader asks questions of.
///
/// Every answer costs O(log n) for each row, section or title that it holds, never O(list).
package struct ArrangedRows: Sendable {
    package let cache: ColumnCache
    package let arrangement: Arrangement
    /// How sections are titled.
    package let titles: SectionTitles

    package init(cache: ColumnCache, arrangement: Arrangement, titles: SectionTitles) {
        self.cache = cache
        self.arrangement = arrangement
        self.titles = titles
    }

    package var rowCount: Int { arrangement.rowCount }
    package var sectionCount: Int { arrangement.sectionCount }

    /// A row's flat ordinal and index path; nil when the list or the search does not have it.
    package func locate(_ rowID: Int64) -> (ordinal: Int, path: IndexPath)? {
        guard let slot = cache.slot(of: rowID), arrangement.matches?.contains(slot) ?? true else {
            return nil
        }
        let ordinal = arrangement.ordinal(of: slot, in: cache)
        let section = arrangement.order.section(ofRow: ordinal)
        let row = ordinal - arrangement.order.firstRow(ofSection: section)
        return (ordinal, IndexPath(section: section, row: row))
    }

    package func rowID(at ordinal: Int) -> Int64 {
        cache.rowID(of: arrangement.order.slot(at: ordinal))
    }

    /// The flat ordinal that an anchor means now; nil for a row that is not here. Beyond the end it
    /// is the row count, which has no row.
    package func ordinal(of anchor: Anchor) -> Int? {
        switch anchor {
        case .ordinal(let ordinal): min(ordinal, rowCount)
        case .path(let path):
            path.section < sectionCount
                ? min(
                    arrangement.order.firstRow(ofSection: path.section) + min(path.row, rowCount),
                    rowCount)
                : rowCount
        case .rowID(let id): locate(id)?.ordinal
        case .fraction(let fraction):
            Int((UInt64(rowCount) * UInt64(fraction)) >> 32)
        case .end: rowCount
        }
    }
}

/// What a window shows, before its pages are named.
package struct EffectiveWindow {
    package let anchor: Int
    package let range: Range<Int>
    package let runs: [SectionRun]
    /// The leaves that hold the rows; the first and last may reach beyond the window.
    package let leaves: [OrderTree.LeafPlace]
}

extension ArrangedRows {
    /// The stretch of `rows` rows that begins `rowsBefore` before the anchor, cut at both ends of
    /// the list, not shifted. nil when the anchor is a row that is not here.
    package func window(
        at anchor: Anchor, rowsBefore: Int, rows: Int
    ) -> EffectiveWindow? {
        guard let ordinal = ordinal(of: anchor) else { return nil }
        let start = ordinal - min(rowsBefore, .max / 4)
        let end = start + min(rows, .max / 4)
        let range = max(0, min(start, rowCount))..<max(0, min(end, rowCount))
        var leaves: [OrderTree.LeafPlace] = []
        arrangement.order.forEachLeaf(in: range) { leaves.append($0) }
        return EffectiveWindow(
            anchor: ordinal, range: range, runs: runs(in: range, leaves), leaves: leaves)
    }

    private func runs(in range: Range<Int>, _ leaves: [OrderTree.LeafPlace]) -> [SectionRun] {
        guard !range.isEmpty else { return [] }
        let section = arrangement.order.section(ofRow: range.lowerBound)
        let first = arrangement.order.firstRow(ofSection: section)
        var starts = [(ordinal: first, slot: arrangement.order.slot(at: first))]
        // Sections that begin in the window are bits of its leaves: no descent for each.
        for leaf in leaves {
            leaf.forEachStart(in: range) { ordinal, slot in
                if ordinal > first { starts.append((ordinal, slot)) }
            }
        }
        let end = arrangement.order.firstRow(ofSection: section + starts.count)
        // All values, then all texts: so that waits for memory overlap.
        let column = sectionColumn
        let values = starts.map { start in column.map { $0[start.slot] } }
        return starts.indices.map { index in
            let start = starts[index]
            let next = index + 1 < starts.count ? starts[index + 1].ordinal : end
            return SectionRun(
                section: section + index, title: title(ofSectionBy: values[index]),
                first: start.ordinal, count: next - start.ordinal)
        }
    }
}
