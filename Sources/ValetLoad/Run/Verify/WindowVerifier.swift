import ValetClient
import ValetModel
import ValetReference

/// Checks every window of one view under one query: by itself, against what was asked, and
/// against the windows that came before.
///
/// Order and sections are computed again from the cells. Where the cut part of a cell would decide,
/// there is no verdict. The memory of earlier windows is bounded.
struct WindowVerifier: Sendable {
    /// The stretch that was asked for.
    struct Asked: Hashable, Sendable {
        var anchor: Anchor
        var rowsBefore: Int
        var rows: Int

        init(_ anchor: Anchor, rowsBefore: Int = 0, rows: Int = RunPlan.rowsPerWindow) {
            self.anchor = anchor
            self.rowsBefore = rowsBefore
            self.rows = rows
        }
    }

    let viewpoint: Viewpoint
    private var revision: UInt64
    private var totals: (rows: Int, sections: Int)
    private var idsByOrdinal: [Int: Int64] = [:]
    private var ordinalsByID: [Int64: Int] = [:]
    private var sections: [Int: SectionRun] = [:]
    /// What is wrong with the window that is being checked.
    private var found: [Mismatch] = []

    /// Rows and sections of earlier windows that are remembered, each.
    static let mostRemembered = 4_096

    init(_ viewpoint: Viewpoint) {
        self.viewpoint = viewpoint
        revision = viewpoint.summary.revision
        totals = (viewpoint.summary.totalRows, viewpoint.summary.totalSections)
    }

    /// - Parameter window: one that is complete.
    mutating func check(_ window: Window, asked: Asked) -> [Mismatch] {
        found = []
        checkRevision(window)
        checkStretch(window, asked)
        let rows = window.rows.compactMap(\.self)
        guard rows.count == window.rows.count else {
            add(.stretch, "a window that misses rows is called complete")
            return found
        }
        checkOrder(rows, from: window.first)
        checkContinuity(rows, from: window.first)
        checkRuns(window, rows)
        if let stray = rows.first(where: { !viewpoint.reference.finds($0.cells) }) {
            add(.search, "row \(stray.id) is not found by \(viewpoint.what)")
        }
        return found.map { Mismatch($0.kind, "\($0.text) \(place(of: window))") }
    }

    private mutating func add(_ kind: Mismatch.Kind, _ text: String) {
        found.append(Mismatch(kind, text))
    }

    /// What a person needs to ask for the same window again.
    private func place(of window: Window) -> String {
        let search = viewpoint.isSearch ? ", asked for \(viewpoint.what)" : ""
        return "(\(window.rows.count) rows from \(window.first) of \(viewpoint.summary.grouping)"
            + "\(search), revision \(window.revision))"
    }
}

// MARK: - Revision, totals, stretch

extension WindowVerifier {
    private mutating func checkRevision(_ window: Window) {
        let expected = viewpoint.summary.generation
        if window.revision < revision {
            add(.revision, "revision \(window.revision) after \(revision)")
        }
        if window.generation != expected {
            add(
                .revision,
                "generation \(window.generation) for a query of generation \(expected)")
        }
        if window.revision > revision {
            // What earlier windows showed holds for the older revision only.
            (revision, totals) = (window.revision, (window.totalRows, window.totalSections))
            (idsByOrdinal, ordinalsByID, sections) = ([:], [:], [:])
        }
        if totals != (window.totalRows, window.totalSections) {
            add(
                .totals,
                "\(window.totalRows) rows in \(window.totalSections) sections, "
                    + "before \(totals.rows) in \(totals.sections)")
        }
    }

    /// A window is cut at the ends of the list, not shifted.
    private mutating func checkStretch(_ window: Window, _ asked: Asked) {
        let total = window.totalRows
        let anchor: Int? =
            switch asked.anchor {
            case .ordinal(let ordinal): min(ordinal, total)
            case .fraction(let fraction): Int((UInt64(total) * UInt64(fraction)) >> 32)
            case .end: total
            case .rowID(let id):
                window.rows.firstIndex { $0?.id == id }.map { window.first + $0 }
            case .path(let path):
                window.runs.first { $0.section == path.section }.map {
                    min($0.first + path.row, total)
                }
            case .rows: nil
            }
        if let anchor, anchor != window.anchor {
            return add(.stretch, "the anchor is at \(window.anchor), not at \(anchor)")
        }
        let start = window.anchor - asked.rowsBefore
        let first = max(0, min(start, total))
        let end = max(0, min(start + asked.rows, total))
        if window.first != first || window.rows.count != end - first {
            add(.stretch, "asked for \(first) ..< \(end), which is another stretch")
        }
    }
}

// MARK: - Order and continuity

extension WindowVerifier {
    private mutating func checkOrder(_ rows: [Row], from first: Int) {
        let places = rows.map { viewpoint.reference.place(of: $0.id, $0.cells) }
        let wrong = rows.indices.dropFirst().first { index in
            viewpoint.reference.compare(places[index - 1], places[index]).map { $0 >= 0 } ?? false
        }
        guard let wrong else { return }
        add(
            .order,
            "row \(rows[wrong - 1].id) at \(first + wrong - 1) stands before row \(rows[wrong].id)")
    }

    /// Within one revision, each row has one place and each place one row. Stops at the first that
    /// has not: the others follow from it.
    private mutating func checkContinuity(_ rows: [Row], from first: Int) {
        if idsByOrdinal.count + rows.count > Self.mostRemembered {
            (idsByOrdinal, ordinalsByID) = ([:], [:])
        }
        for (ordinal, row) in zip(first..., rows) {
            let known = idsByOrdinal.updateValue(row.id, forKey: ordinal)
            let place = ordinalsByID.updateValue(ordinal, forKey: row.id)
            if let known, known != row.id {
                return add(.continuity, "row \(row.id) at \(ordinal), before row \(known)")
            }
            if let place, place != ordinal {
                return add(.continuity, "row \(row.id) is at \(place) and at \(ordinal)")
            }
        }
    }
}

// MARK: - Sections

extension WindowVerifier {
    private mutating func checkRuns(_ window: Window, _ rows: [Row]) {
        if let gap = Self.gap(in: window) { return add(.sections, gap) }
        if sections.count + window.runs.count > Self.mostRemembered { sections = [:] }
        for run in window.runs {
            if let known = sections.updateValue(run, forKey: run.section), known != run {
                add(.sections, "section \(run.section) is \(run), before \(known)")
            }
        }
        if viewpoint.summary.isSectioned, let wrong = wrongTitle(window, rows) {
            add(.sections, wrong)
        }
    }

    /// Checks the runs without looking at rows; nil when they are right.
    private static func gap(in window: Window) -> String? {
        let runs = window.runs
        guard let first = runs.first, let last = runs.last else {
            return window.rows.isEmpty ? nil : "rows without sections"
        }
        if window.rows.isEmpty { return "sections without rows" }
        for (run, next) in zip(runs, runs.dropFirst())
        where next.first != run.first + run.count || next.section != run.section + 1 {
            return "section \(next.section) does not follow on section \(run.section)"
        }
        if runs.contains(where: { $0.count < 1 }) { return "a section without rows" }
        let end = window.first + window.rows.count
        guard first.first <= window.first, window.first < first.first + first.count,
            last.first < end, end <= last.first + last.count
        else { return "the sections don't cover the rows" }
        let isLast = last.first + last.count == window.totalRows
        guard last.section < window.totalSections,
            isLast == (last.section == window.totalSections - 1),
            (first.section == 0) == (first.first == 0)
        else { return "the sections don't fit the totals" }
        return nil
    }

    /// All rows of a section have one value, which its title names; sections differ in value.
    private func wrongTitle(_ window: Window, _ rows: [Row]) -> String? {
        var before: SectionValue?
        for run in window.runs {
            let start = max(run.first, window.first) - window.first
            let end = min(run.first + run.count - window.first, rows.count)
            guard let value = viewpoint.reference.section(of: rows[start].cells) else { return nil }
            if let before, SectionValue.compare(before, value, isDescending: false) == 0 {
                return "section \(run.section) goes on with the one before"
            }
            let stray = rows[start..<end].first { row in
                viewpoint.reference.section(of: row.cells).map {
                    SectionValue.compare($0, value, isDescending: false) ?? 0
                } ?? 0 != 0
            }
            if let stray { return "row \(stray.id) does not belong to “\(run.title)”" }
            if !fits(run.title, value, isFirstRow: run.first >= window.first) {
                return "section \(run.section) is titled “\(run.title)”, its rows say "
                    + "“\(value.title ?? "")”"
            }
            before = value
        }
        return nil
    }

    /// A section is titled as its first row writes it; another row may write the same differently.
    private func fits(_ title: String, _ value: SectionValue, isFirstRow: Bool) -> Bool {
        guard let own = value.title, let expected = viewpoint.reference.title(of: value) else {
            return true
        }
        if title.utf8.elementsEqual(expected.utf8) { return true }
        if isFirstRow { return false }
        if case .text? = value.key {
        } else if let number = Double(title), let other = Double(own) {
            return number == other
        }
        // Cut, equal texts may end differently.
        return expected.utf8.count > Limits.bytesPerTitle / 2
            || TextFolding.fold(title) == TextFolding.fold(expected)
    }
}
