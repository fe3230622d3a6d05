import ValetModel
import ValetProtocol

/// Checks answers against PROTOCOL.md and the request. Counts are at most 2⁵³ − 1, so the sum of
/// two can't overflow.

extension ViewOpened {
    func check(_ asked: AskedColumns?) throws(ValetError) {
        try Totals(revision: revision, rows: totalRows, sections: totalSections).check()
        let count = asked?.count ?? Limits.columnsPerList
        guard (groupingColumn ?? 0) < max(count, 1), columns.allSatisfy({ $0 < count }) else {
            throw .broken("P40", "it names a column that the list does not have")
        }
        let carried = Set(columns)
        guard carried.count == columns.count else {
            throw .broken("P40", "its pages carry a column twice")
        }
        guard asked?.asked.isSubset(of: carried) ?? true else {
            throw .broken("P40", "its pages leave out a column that was asked for")
        }
    }
}

extension Totals {
    /// Every section has rows, and every row a section; an empty view may have one section.
    func check() throws(ValetError) {
        guard sections <= max(rows, 1), rows == 0 || sections > 0 else {
            throw .broken("P43", "\(rows) rows in \(sections) sections")
        }
    }
}

extension WindowAnswer {
    /// - Parameter isFirst: false if the request was answered before.
    func check(_ request: WindowRequest, isFirst: Bool) throws(ValetError) {
        try Totals(revision: revision, rows: totalRows, sections: totalSections).check()
        guard isPossible(request.anchor, isFirst: isFirst) else {
            throw .broken("P41", "the anchor can't be row \(anchor) of \(totalRows)")
        }
        try checkRange(request)
        try checkRuns()
        try checkPages()
    }

    private func isPossible(_ asked: Anchor, isFirst: Bool) -> Bool {
        switch asked {
        case .ordinal(let ordinal): anchorRow == 0 && anchor == min(ordinal, totalRows)
        case .path(let path):
            anchorRow == 0
                && (path.section < totalSections ? anchor <= totalRows : anchor == totalRows)
        case .rowID:
            // A row that is gone keeps its place.
            anchorRow == 1 ? anchor < totalRows : !isFirst && anchorRow == 0 && anchor <= totalRows
        case .fraction(let fraction): anchorRow == 0 && anchor == ordinal(of: fraction)
        case .end: anchorRow == 0 && anchor == totalRows
        case .rows(_, .rowID) where anchorRow == 0: anchor <= totalRows
        case .rows(_, let otherwise) where anchorRow == 0: isPossible(otherwise, isFirst: isFirst)
        case .rows(let rows, _): anchorRow <= rows.count && anchor <= totalRows
        }
    }

    /// The place of the row that held, unless it was cut.
    func held(_ request: WindowRequest) -> (rowID: Int64, ordinal: Int)? {
        guard anchorRow > 0, anchor > 0, anchor < totalRows else { return nil }
        switch request.anchor {
        case .rowID(let id): return (id, anchor)
        case .rows(let rows, _):
            let row = rows[Int(anchorRow) - 1]
            let (ordinal, overflows) = anchor.addingReportingOverflow(row.line)
            return overflows ? nil : (row.id, ordinal)
        case .ordinal, .path, .fraction, .end: return nil
        }
    }

    private func checkRange(_ request: WindowRequest) throws(ValetError) {
        let start = anchor - min(request.rowsBefore, Limits.largestCount)
        let wanted = cut(start)..<cut(start + request.rows)
        // An empty window has no position to check.
        guard rows == wanted.count, wanted.isEmpty || first == wanted.lowerBound else {
            throw .broken(
                "P41",
                "rows \(first) to \(first + rows), not \(wanted.lowerBound) to "
                    + "\(wanted.upperBound)")
        }
    }

    private func cut(_ ordinal: Int) -> Int { max(0, min(ordinal, totalRows)) }

    /// ⌊rows · fraction ÷ 2³²⌋, computed in two halves since the product may exceed 64 bits.
    private func ordinal(of fraction: UInt32) -> Int {
        let (high, low) = (totalRows >> 32, totalRows & 0xFFFF_FFFF)
        return high * Int(fraction) + Int((UInt64(low) * UInt64(fraction)) >> 32)
    }

    private func checkRuns() throws(ValetError) {
        var (next, section) = (runs.first?.first ?? first, runs.first?.section ?? 0)
        for run in runs {
            guard run.section == section, run.section < totalSections, run.first == next,
                run.count > 0, run.first < first + rows, run.first + run.count > first
            else { throw .broken("P43", "section \(run.section) does not follow the one before") }
            next += run.count
            section += 1
        }
        guard covers(from: runs.first?.first, to: next) else {
            throw .broken("P43", "rows of the window without a section")
        }
    }

    private func checkPages() throws(ValetError) {
        var next = pages.first?.first ?? first
        for (index, page) in pages.enumerated() {
            guard page.first == next, page.rows > 0, page.first < first + rows,
                page.first + page.rows > first
            else { throw .broken("P44", "a page at row \(page.first), not \(next)") }
            guard !pages[..<index].contains(where: { $0.name == page.name }) else {
                throw .broken("P48", "a page's name stands for two stretches of rows")
            }
            next += page.rows
        }
        guard covers(from: pages.first?.first, to: next) else {
            throw .broken("P44", "rows of the window without a page")
        }
    }

    private func covers(from start: Int?, to end: Int) -> Bool {
        guard let start else { return rows == 0 }
        return start <= first && first + rows <= end
    }
}

extension IndexAnswer {
    func check(_ request: IndexRequest, _ view: ClientView.Opened) throws(ValetError) {
        guard entries.count <= (view.hasIndex ? request.mostTitles : 0) else {
            throw .broken("P62", "\(entries.count) titles, asked for \(request.mostTitles)")
        }
        var last: IndexEntry?
        for entry in entries {
            guard last.map({ $0.section < entry.section && $0.first < entry.first }) ?? true,
                view.holds(section: entry.section, first: entry.first, count: 1, at: revision)
            else { throw .broken("P62", "section \(entry.section) is out of order") }
            last = entry
        }
    }
}

extension SectionsAnswer {
    func check(_ request: SectionsRequest, _ view: ClientView.Opened) throws(ValetError) {
        guard sections.count <= request.mostSections else {
            throw .broken("P63", "\(sections.count) sections, asked for \(request.mostSections)")
        }
        switch request.order {
        case .inPlace: try checkPlaces(request, view)
        case .byRows: try checkRanks(view)
        }
        try checkEnd(request, view)
    }

    private func checkPlaces(
        _ request: SectionsRequest, _ view: ClientView.Opened
    ) throws(ValetError) {
        var next = sections.first.map { ($0.section, $0.first) } ?? (0, 0)
        if case .ordinal(let ordinal) = request.start, !sections.isEmpty { next.0 = ordinal }
        for section in sections {
            guard (section.section, section.first) == next, section.count > 0,
                view.holds(
                    section: section.section, first: section.first, count: section.count,
                    at: revision)
            else { throw .broken("P63", "section \(section.section) is out of order") }
            next = (section.section + 1, section.first + section.count)
        }
    }

    private func checkRanks(_ view: ClientView.Opened) throws(ValetError) {
        let inPlace = sections.sorted { $0.section < $1.section }
        guard
            sections.allSatisfy({
                $0.count > 0
                    && view.holds(
                        section: $0.section, first: $0.first, count: $0.count, at: revision)
            }),
            zip(inPlace, inPlace.dropFirst()).allSatisfy({
                $0.section < $1.section && $0.first + $0.count <= $1.first
            })
        else { throw .broken("P151", "its sections can't be of one revision") }
        let isRanked = zip(sections, sections.dropFirst()).allSatisfy {
            $0.count > $1.count || $0.count == $1.count && $0.section < $1.section
        }
        guard isRanked else { throw .broken("P150", "a section has more rows than the one before") }
    }

    /// Fewer than requested is allowed only at the end.
    private func checkEnd(
        _ request: SectionsRequest, _ view: ClientView.Opened
    ) throws(ValetError) {
        guard sections.count < request.mostSections else { return }
        let end: Int
        switch request.start {
        case .ordinal(let ordinal): end = ordinal + sections.count
        case .title, .titlePrefix:
            guard let last = sections.last else {
                throw .broken("P63", "no section, and no error that says so")
            }
            end = last.section + 1
        }
        guard view.totals.revision != revision || end >= view.totals.sections else {
            throw .broken("P63", "fewer sections than there are")
        }
    }
}

extension LocateAnswer {
    func check(_ view: ClientView.Opened) throws(ValetError) {
        guard let place else { return }
        let start = place.ordinal - place.path.row
        guard start >= 0,
            view.holds(
                section: place.path.section, first: start, count: place.path.row + 1, at: revision)
        else { throw .broken("P64", "the row can't be at \(place.ordinal)") }
    }
}

extension AggregatesAnswer {
    func check(_ request: AggregatesRequest, _ view: ClientView.Opened) throws(ValetError) {
        guard generation == request.generation else {
            throw .broken("P34", "generation \(generation), asked for \(request.generation)")
        }
        guard (aggregates.allRows != nil) == request.wantsAllRows else {
            throw .broken("P155", "all rows, asked for: \(request.wantsAllRows)")
        }
        var asked = request.sections[...]
        for section in aggregates.sections {
            guard let place = asked.firstIndex(of: section.section), section.rows.count > 0 else {
                throw .broken("P155", "section \(section.section) is out of order")
            }
            asked = asked[(place + 1)...]
        }
        let all = [aggregates.allRows].compactMap(\.self) + aggregates.sections.map(\.rows)
        guard all.allSatisfy({ $0.values.count == request.measures.count }) else {
            throw .broken("P156", "not \(request.measures.count) values")
        }
        guard view.totals.revision == aggregates.revision else { return }
        guard aggregates.allRows.map({ $0.count == view.totals.rows }) ?? true,
            aggregates.sections.allSatisfy({ $0.rows.count <= view.totals.rows })
        else { throw .broken("P155", "not \(view.totals.rows) rows") }
    }
}

extension ClientView.Opened {
    /// Whether the view can have such a section: each earlier section has at least one row.
    func holds(section: Int, first: Int, count: Int, at revision: UInt64) -> Bool {
        guard section <= first else { return false }
        guard revision == totals.revision else { return true }
        return section < totals.sections && first < totals.rows && count <= totals.rows - first
    }
}

extension DetailAnswer {
    /// - Parameter columns: how many the list has, if that is known.
    func check(_ request: DetailRequest, columns: Int?) throws(ValetError) {
        let columns = columns ?? cells.count
        guard rowID == request.rowID, cells.count == columns else {
            throw .broken(
                "P65",
                "row \(rowID) with \(cells.count) cells, asked for row \(request.rowID) of "
                    + "\(columns) columns")
        }
    }
}

extension PieceAnswer {
    func check(_ request: PieceRequest) throws(ValetError) {
        guard offset == min(request.offset, Limits.largestCount) else {
            throw .broken("P66", "a piece from byte \(offset), asked for \(request.offset)")
        }
        guard bytes.isEmpty == (offset >= byteCount) else {
            throw .broken(
                "P66", "\(bytes.count) bytes at byte \(offset) of a value of \(byteCount)")
        }
    }
}
