import ValetClient
import ValetModel

/// Requests, timed until their answer is decoded, and checked.
extension SimulatedStation {
    /// Shows a window and checks it.
    mutating func show(
        _ view: ValetView, _ asked: WindowVerifier.Asked, velocity: Int = 0,
        isSettled: Bool = true, from: ContinuousClock.Instant, kind: Figures.Kind = .window
    ) async throws(ValetError) {
        let (window, end) = try await view.timedWindow(
            at: asked.anchor, rowsBefore: asked.rowsBefore, rows: asked.rows,
            velocity: velocity, isSettled: isSettled)
        if !isBystander { context.figures.add(kind, end - from) }
        await check(window, asked, view)
    }

    mutating func check(
        _ window: Window, _ asked: WindowVerifier.Asked, _ view: ValetView
    ) async {
        var found: [Mismatch] = []
        if let query = unansweredQuery {
            let summary = view.summary
            unansweredQuery = nil
            verifier = WindowVerifier(
                Viewpoint(list: context.list, query: query, summary: summary))
            seen.sections = summary.totalSections
            if summary.revision < newestRevision { found.append(older(summary.revision)) }
            if let mismatch = context.ledger.check(summary, of: query) { found.append(mismatch) }
        }
        if window.revision < newestRevision { found.append(older(window.revision)) }
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

    private func older(_ revision: UInt64) -> Mismatch {
        Mismatch(.revision, "revision \(revision) after \(newestRevision) on one connection")
    }

    private mutating func compareWithFile(_ columns: [Int]) async {
        // Rows that others change are compared when all are at rest.
        guard context.plan.scenario != .stations, let truth = context.truth,
            let (row, _) = anyRow(),
            context.figures.takeRowToCompare(most: context.plan.truthRowsPerSecond)
        else { return }
        do throws(ValetError) {
            if let mismatch = try await truth.check(row, columns: columns) {
                context.figures.add(mismatch, at: number)
            }
        } catch {
            context.figures.add(error, at: number)
        }
    }

    // MARK: - Queries

    mutating func ask(
        _ view: ValetView, _ query: Query, from: ContinuousClock.Instant
    ) async throws(ValetError) {
        forget(query)
        unansweredQuery = query
        // The first window goes out behind the query: one round trip for both.
        view.requestRearrange(query) { _ in }
        try await show(
            view, .init(.ordinal(0), rows: RunPlan.rowsPerWindow), from: from, kind: .query)
    }

    mutating func askInPassing(
        _ view: ValetView, _ query: Query, from: ContinuousClock.Instant
    ) {
        forget(query)
        unansweredQuery = query
        let (figures, number) = (context.figures, number)
        view.requestRearrange(query) { result in
            switch result {
            case .success: figures.add(.query, .now - from)
            case .failure(let error) where error.code == .superseded: figures.addSuperseded()
            case .failure(let error): figures.add(error, at: number)
            }
        }
    }

    // MARK: - Index, sections, look-ups

    mutating func openIndex(
        _ view: ValetView, from: ContinuousClock.Instant
    ) async throws(ValetError) {
        let entries = try await view.index(most: RunPlan.rowsPerWindow)
        context.figures.add(.index, .now - from)
        seen.index = entries
        for (entry, next) in zip(entries, entries.dropFirst())
        where next.first <= entry.first || next.section <= entry.section {
            context.figures.add(
                Mismatch(.sections, "the index has “\(entry.title)” before “\(next.title)”"),
                at: number)
        }
    }

    /// An index title leads to the first row of its section.
    mutating func jump(
        _ view: ValetView, to entry: IndexEntry, from: ContinuousClock.Instant
    ) async throws(ValetError) {
        let path = IndexPath(section: entry.section, row: 0)
        try await show(view, .init(.path(path), rows: RunPlan.rowsPerWindow), from: from)
        guard let window = lastWindow, let run = window.runs.first,
            run.section == entry.section, run.first == entry.first, window.first == entry.first
        else {
            context.figures.add(
                Mismatch(
                    .sections,
                    "“\(entry.title)” of the index is section \(entry.section) from "
                        + "\(entry.first) on, and shows another place"),
                at: number)
            return
        }
    }

    func readSections(
        _ view: ValetView, from start: Int, since from: ContinuousClock.Instant
    ) async throws(ValetError) {
        let sections = try await view.sections(from: start, count: RunPlan.rowsPerWindow)
        context.figures.add(.sections, .now - from)
        let follow = zip(sections, sections.dropFirst()).allSatisfy { section, next in
            next.section == section.section + 1 && next.first == section.first + section.count
                && section.count > 0
        }
        if sections.first.map({ $0.section != start }) ?? false || !follow {
            context.figures.add(
                Mismatch(.sections, "the sections from \(start) on have gaps"), at: number)
        }
    }

    mutating func locate(
        _ view: ValetView, from: ContinuousClock.Instant
    ) async throws(ValetError) {
        guard let (row, ordinal) = anyRow() else { return }
        let place = try await view.locate(row.id)
        context.figures.add(.locate, .now - from)
        let owner = lastWindow?.runs.last { $0.first <= ordinal }
        let path = owner.map { IndexPath(section: $0.section, row: ordinal - $0.first) }
        guard place?.ordinal == ordinal, path == nil || place?.path == path else {
            let told = place.map { "\($0.ordinal)" } ?? "nowhere"
            context.figures.add(
                Mismatch(.continuity, "row \(row.id) is at \(ordinal), and found at \(told)"),
                at: number)
            return
        }
    }

    /// Compares the cells of a whole row with those of its page.
    mutating func readDetail(from: ContinuousClock.Instant) async throws(ValetError) {
        guard let connection, let view, let (row, _) = anyRow() else { return }
        let detail = try await connection.detail(list: context.list.name, rowID: row.id)
        context.figures.add(.detail, .now - from)
        for (column, cell) in zip(view.summary.columns, row.cells) {
            // A detail has the whole of what a page cuts.
            if cell.isCut { continue }
            guard detail.cells.indices.contains(column), detail.cells[column] == cell else {
                context.figures.add(
                    Mismatch(.cells, "row \(row.id) has another \(column) when read whole"),
                    at: number)
                return
            }
        }
    }

    // MARK: - Neglect

    /// Asks without reading the answers, so that they fill the network's buffers and then those of
    /// the server.
    mutating func neglect(
        _ place: Int, reads: Bool, _ times: RunTimes
    ) async throws(ValetError) {
        guard let connection, let view else { return }
        connection.setReading(reads)
        view.requestWindow(
            at: .ordinal(place), rows: RunPlan.rowsPerWindow, wantsParts: false
        ) { _ in }
        guard reads else { return }
        await times.sleep(until: .now + .milliseconds(30))
        connection.setReading(false)
    }
}
