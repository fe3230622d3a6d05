import ValetClient
import ValetModel

/// Requests, timed until their answer is decoded, and checked.
extension SimulatedStation {
    /// Shows a window and checks it.
    mutating func show(
        _ view: ValetView, _ asked: WindowVerifier.Asked, velocity: Int = 0,
        isSettled: Bool = true, from: Instant, kind: Figures.Kind = .window
    ) async throws(ValetError) {
        let (window, end) = try await view.timedWindow(
            at: asked.anchor, rowsBefore: asked.rowsBefore, rows: asked.rows,
            velocity: velocity, isSettled: isSettled)
        if !isBystander { context.figures.add(kind, end - from) }
        await check(window, asked, view)
    }

    mutating func check(_ window: Window, _ asked: WindowVerifier.Asked, _ view: ValetView) async {
        var found: [Mismatch] = []
        if let query = unansweredQuery {
            let summary = view.summary
            unansweredQuery = nil
            verifier = WindowVerifier(Viewpoint(list: context.list, query: query, summary: summary))
            seen.sections = summary.totalSections
            checkAge(summary.revision, &found)
            if let mismatch = context.ledger.check(summary, of: query) { found.append(mismatch) }
        }
        checkAge(window.revision, &found)
        newestRevision = max(newestRevision, window.revision)
        found += verifier?.check(window, asked: asked) ?? []
        context.figures.addChecked(found, at: number)
        seen.rows = window.totalRows
        seen.first = window.first
        lastWindow = window
        seen.columns = view.summary.columns
        seen.row = anyRow()?.row
        await compareWithFile(view.summary.columns)
    }

    private func checkAge(_ revision: UInt64, _ found: inout [Mismatch]) {
        guard revision < newestRevision else { return }
        found.append(
            Mismatch(.revision, "revision \(revision) after \(newestRevision) on one connection"))
    }

    private mutating func compareWithFile(_ columns: [Int]) async {
        // Rows that others change are compared when all are at rest.
        guard context.plan.scenario != .stations, let truth = context.truth,
            let (row, _) = anyRow(),
            context.figures.takeRowToCompare(most: context.plan.truthRowsPerSecond)
        else { return }
        do throws(ValetError) {
            context.figures.add(try await truth.check(row, columns: columns), at: number)
        } catch {
            context.figures.add(error, at: number)
        }
    }

    // MARK: - Queries

    mutating func ask(_ view: ValetView, _ query: Query, from: Instant) async throws(ValetError) {
        forget(query)
        unansweredQuery = query
        // The first window goes out behind the query: one round trip for both.
        view.requestRearrange(query) { _ in }
        try await show(view, .init(.ordinal(0)), from: from, kind: .query)
    }

    mutating func askInPassing(_ view: ValetView, _ query: Query, from: Instant) {
        forget(query)
        unansweredQuery = query
        let (figures, number) = (context.figures, number)
        view.requestRearrange(query) { result in
            switch result {
            case .success: figures.add(.query, .now - from)
            case .failure(let error) where error.code == .superseded:
                figures.update { $0.superseded += 1 }
            case .failure(let error): figures.add(error, at: number)
            }
        }
    }

    // MARK: - Index, sections, look-ups

    mutating func openIndex(_ view: ValetView, from: Instant) async throws(ValetError) {
        let entries = try await view.index(most: RunPlan.rowsPerWindow)
        context.figures.add(.index, .now - from)
        seen.index = entries
        for (entry, next) in zip(entries, entries.dropFirst())
        where next.first <= entry.first || next.section <= entry.section {
            found(.sections, "the index has “\(entry.title)” before “\(next.title)”")
        }
    }

    /// An index title leads to the first row of its section.
    mutating func jump(
        _ view: ValetView, to entry: IndexEntry, from: Instant
    ) async throws(ValetError) {
        try await show(view, .init(.path(IndexPath(section: entry.section, row: 0))), from: from)
        guard let window = lastWindow, let run = window.runs.first,
            run.section == entry.section, run.first == entry.first, window.first == entry.first
        else {
            foundByComparing(
                .sections,
                "“\(entry.title)” of the index is section \(entry.section) from \(entry.first) on, "
                    + "and shows another place")
            return
        }
    }

    func readSections(
        _ view: ValetView, from start: Int, since from: Instant
    ) async throws(ValetError) {
        let sections = try await view.sections(from: start, count: RunPlan.rowsPerWindow)
        context.figures.add(.sections, .now - from)
        let follow = zip(sections, sections.dropFirst()).allSatisfy { section, next in
            next.section == section.section + 1 && next.first == section.first + section.count
                && section.count > 0
        }
        if sections.first.map({ $0.section != start }) ?? false || !follow {
            found(.sections, "the sections from \(start) on have gaps")
        }
    }

    mutating func locate(_ view: ValetView, from: Instant) async throws(ValetError) {
        guard let (row, ordinal) = anyRow() else { return }
        let place = try await view.locate(row.id)
        context.figures.add(.locate, .now - from)
        let owner = lastWindow?.runs.last { $0.first <= ordinal }
        let path = owner.map { IndexPath(section: $0.section, row: ordinal - $0.first) }
        if place?.ordinal != ordinal || path != nil && place?.path != path {
            let told = place.map { "\($0.ordinal)" } ?? "nowhere"
            foundByComparing(
                .continuity, "row \(row.id) is at \(ordinal), and found at \(told)")
        }
    }

    /// Compares the cells of a whole row with those of its page. A detail has the whole of what a
    /// page cuts.
    mutating func readDetail(_ view: ValetView, from: Instant) async throws(ValetError) {
        guard let connection, let (row, _) = anyRow() else { return }
        let detail = try await connection.detail(list: context.list.name, rowID: row.id)
        context.figures.add(.detail, .now - from)
        let differing = zip(view.summary.columns, row.cells).first { column, cell in
            !cell.isCut
                && !(detail.cells.indices.contains(column) && detail.cells[column] == cell)
        }
        if let (column, _) = differing {
            foundByComparing(.cells, "row \(row.id) has another \(column) when read whole")
        }
    }

    // MARK: - Neglect

    /// Asks without reading the answers, so that they fill the network's buffers and then those of
    /// the server.
    func neglect(_ view: ValetView, _ place: Int, reads: Bool, _ times: RunTimes) async {
        connection?.setReading(reads)
        view.requestWindow(
            at: .ordinal(place), rows: RunPlan.rowsPerWindow, wantsParts: false
        ) { _ in }
        guard reads else { return }
        await times.sleep(until: .now + .milliseconds(30))
        connection?.setReading(false)
    }
}
