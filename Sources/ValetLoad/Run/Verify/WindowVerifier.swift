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

        init(_ anchor: Anchor, rowsBefore: Int = 0, rows: Int) {
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

    /// Rows and sections of earlier windows that are remembered, each.
    static let mostRemembered = 4_096

    init(_ viewpoint: Viewpoint) {
        self.viewpoint = viewpoint
        revision = viewpoint.summary.revision
        totals = (viewpoint.summary.totalRows, viewpoint.summary.totalSections)
    }

    /// - Parameter window: one that is complete.
    mutating func check(_ window: Window, asked: Asked) -> [Mismatch] {
        var found = checkRevision(window)
        found += checkStretch(window, asked)
        let rows = window.rows.compactMap(\.self)
        guard rows.count == window.rows.count else {
            return found + [Mismatch(.stretch, "a window that misses rows is called complete")]
        }
        found += checkOrder(rows, from: window.first)
        found += checkContinuity(rows, from: window.first)
        found += checkRuns(window, rows)
        if let stray = rows.first(where: { !viewpoint.reference.finds($0.cells) }) {
            found.append(Mismatch(.search, "row \(stray.id) is not found by \(viewpoint.what)"))
        }
        return found.map { Mismatch($0.kind, "\($0.text) \(place(of: window))") }
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
    private mutating func checkRevision(_ window: Window) -> [Mismatch] {
        var found: [Mismatch] = []
        if window.revision < revision {
            found.append(
                Mismatch(.revision, "revision \(window.revision) after \(revision)"))
        }
        if window.generation != viewpoint.summary.generation {
            found.append(
                Mismatch(
                    .revision,
                    "generation \(window.generation) for a query of generation "
                        + "\(viewpoint.summary.generation)"))
        }
        if window.revision > revision {
            // What earlier windows showed holds for the older revision only.
            (revision, totals) = (window.revision, (window.totalRows, window.totalSections))
            (idsByOrdinal, ordinalsByID, sections) = ([:], [:], [:])
        }
        if totals != (window.totalRows, window.totalSections) {
            found.append(
                Mismatch(
                    .totals,
                    "\(window.totalRows) rows in \(window.totalSections) sections, "
                        + "before \(totals.rows) in \(totals.sections)"))
        }
        return found
    }

    /// A window is cut at the ends of the list, not shifted.
    private func checkStretch(_ window: Window, _ asked: Asked) -> [Mismatch] {
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
            return [Mismatch(.stretch, "the anchor is at \(window.anchor), not at \(anchor)")]
        }
        let start = window.anchor - asked.rowsBefore
        let first = max(0, min(start, total))
        let end = max(0, min(start + asked.rows, total))
        guard window.first == first, window.rows.count == end - first else {
            return [
                Mismatch(.stretch, "asked for \(first) ..< \(end), which is another stretch")
            ]
        }
        return []
    }
}

// MARK: - Order and continuity

extension WindowVerifier {
    private func checkOrder(_ rows: [Row], from first: Int) -> [Mismatch] {
        let places = rows.map { viewpoint.reference.place(of: $0.id, $0.cells) }
        for index in rows.indices.dropFirst() {
            guard
                let order = viewpoint.reference.compare(places[index - 1], places[index]),
                order >= 0
            else { continue }
            return [
                Mismatch(
                    .order,
                    "row \(rows[index - 1].id) at \(first + index - 1) stands before row "
                        + "\(rows[index].id)")
            ]
        }
        return []
    }

    /// Within one revision, each row has one place and each place one row.
    private mutating func checkContinuity(_ rows: [Row], from first: Int) -> [Mismatch] {
        if idsByOrdinal.count + rows.count > Self.mostRemembered {
            (idsByOrdinal, ordinalsByID) = ([:], [:])
        }
        var found: [Mismatch] = []
        for (ordinal, row) in zip(first..., rows) {
            if let known = idsByOrdinal[ordinal], known != row.id {
                found.append(
                    Mismatch(.continuity, "row \(row.id) at \(ordinal), before row \(known)"))
            } else if let known = ordinalsByID[row.id], known != ordinal {
                found.append(
                    Mismatch(.continuity, "row \(row.id) is at \(known) and at \(ordinal)"))
            }
            idsByOrdinal[ordinal] = row.id
            ordinalsByID[row.id] = ordinal
            // One is enough: the others follow from it.
            if !found.isEmpty { break }
        }
        return found
    }
}

// MARK: - Sections

extension WindowVerifier {
    private mutating func checkRuns(_ window: Window, _ rows: [Row]) -> [Mismatch] {
        if let gap = Self.gap(in: window) { return [Mismatch(.sections, gap)] }
        var found: [Mismatch] = []
        if sections.count + window.runs.count > Self.mostRemembered { sections = [:] }
        for run in window.runs {
            if let known = sections[run.section], known != run {
                found.append(
                    Mismatch(.sections, "section \(run.section) is \(run), before \(known)"))
            }
            sections[run.section] = run
        }
        return found + (viewpoint.summary.isSectioned ? checkTitles(window, rows) : [])
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
    private func checkTitles(_ window: Window, _ rows: [Row]) -> [Mismatch] {
        var before: SectionValue?
        for run in window.runs {
            let start = max(run.first, window.first) - window.first
            let end = min(run.first + run.count - window.first, rows.count)
            guard let value = viewpoint.reference.section(of: rows[start].cells) else { return [] }
            if let before, SectionValue.compare(before, value, isDescending: false) == 0 {
                return [Mismatch(.sections, "section \(run.section) goes on with the one before")]
            }
            let stray = rows[start..<end].first { row in
                viewpoint.reference.section(of: row.cells).map {
                    SectionValue.compare($0, value, isDescending: false) ?? 0
                } ?? 0 != 0
            }
            if let stray {
                return [
                    Mismatch(.sections, "row \(stray.id) does not belong to “\(run.title)”")
                ]
            }
            if !fits(run.title, value, isFirstRow: run.first >= window.first) {
                return [
                    Mismatch(
                        .sections,
                        "section \(run.section) is titled “\(run.title)”, its rows say "
                            + "“\(value.title ?? "")”")
                ]
            }
            before = value
        }
        return []
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
