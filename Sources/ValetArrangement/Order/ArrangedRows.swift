import ValetModel

/// An arrangement with the cache of its slots: answers readers' queries.
///
/// A query costs O(log n) per row, section or title that it returns, never O(list).
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

    /// A row's flat ordinal and index path; nil if the list or the search does not contain it.
    package func locate(_ rowID: Int64) -> (ordinal: Int, path: IndexPath)? {
        guard let slot = cache.slot(of: rowID),
            let ordinal = arrangement.ordinal(of: slot, in: cache)
        else { return nil }
        let section = arrangement.order.section(ofRow: ordinal)
        let row = ordinal - arrangement.order.firstRow(ofSection: section)
        return (ordinal, IndexPath(section: section, row: row))
    }

    package func rowID(at ordinal: Int) -> Int64 {
        cache.rowID(of: arrangement.order.slot(at: ordinal))
    }
}

/// A window's content, before its pages are named.
package struct EffectiveWindow {
    package let anchor: AnchorPlace
    package let range: Range<Int>
    package let runs: [SectionRun]
    /// The leaves that hold the rows; the first and last may extend beyond the window.
    package let leaves: [OrderTree.LeafPlace]
}

extension ArrangedRows {
    /// Up to `rows` rows starting `rowsBefore` before the anchor, clipped to the list rather than
    /// shifted.
    ///
    /// - Parameter last: where the anchor was last, for a row that is gone.
    /// - Returns: nil if the anchor is a row that is not in the view.
    package func window(
        at anchor: Anchor, rowsBefore: Int, rows: Int, last: Int? = nil
    ) -> EffectiveWindow? {
        guard let place = place(of: anchor, within: rows, last: last) else { return nil }
        let start = place.ordinal - min(rowsBefore, .max / 4)
        let end = start + min(rows, .max / 4)
        let range = max(0, min(start, rowCount))..<max(0, min(end, rowCount))
        var leaves: [OrderTree.LeafPlace] = []
        arrangement.order.forEachLeaf(in: range) { leaves.append($0) }
        return EffectiveWindow(
            anchor: place, range: range, runs: runs(in: range, leaves), leaves: leaves)
    }

    private func runs(in range: Range<Int>, _ leaves: [OrderTree.LeafPlace]) -> [SectionRun] {
        guard !range.isEmpty else { return [] }
        let section = arrangement.order.section(ofRow: range.lowerBound)
        let first = arrangement.order.firstRow(ofSection: section)
        var starts = [(ordinal: first, slot: arrangement.order.slot(at: first))]
        // Section starts are bits of the window's leaves, so no descent per section is needed.
        for leaf in leaves {
            leaf.forEachStart(in: range) { ordinal, slot in
                if ordinal > first { starts.append((ordinal, slot)) }
            }
        }
        let end = arrangement.order.firstRow(ofSection: section + starts.count)
        // Reads all values before all texts, so that cache misses overlap.
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
