import ValetModel
import ValetProtocol

/// A client's copy of one view's window: the newest answer, and the pages that it names.
struct Mirror {
    /// The number of columns in the view's pages.
    var columnCount = 0
    private(set) var answer: WindowAnswer?
    private var request: WindowRequest?
    private var pages: [PageName: DecodedPage] = [:]
    /// Pages that the newest request declared as held: kept until its answer, even if the store
    /// evicts them.
    private var pinned: [HeldPage] = []

    /// Takes a new answer, keeping those of its pages that have been received.
    mutating func take(
        _ answer: WindowAnswer, of request: WindowRequest, from store: inout PageStore
    ) throws(ValetError) {
        var kept: [PageName: DecodedPage] = [:]
        for place in answer.pages {
            guard let page = try page(place.name, in: &store) else { continue }
            try check(page, at: place)
            kept[place.name] = page
        }
        pages = kept
        pinned = []
        self.answer = answer
        self.request = request
    }

    private func page(
        _ name: PageName, in store: inout PageStore
    ) throws(ValetError) -> DecodedPage? {
        if let page = pages[name] { return page }
        if let page = try store.decoded(name) { return page }
        // By index: reading an element would retain and release it just for its name.
        guard let index = pinned.indices.first(where: { pinned[$0].name == name }) else {
            return nil
        }
        return try pinned[index].page.decoded()
    }

    /// Pins the pages that the next request declares as held: those on show, which are the most
    /// likely to be shown again, and the newest others.
    /// - Returns: their names, at most `most`.
    mutating func pin(most: Int, from store: PageStore) -> [PageName] {
        var held: [HeldPage] = []
        held.reserveCapacity(most)
        for place in answer?.pages.prefix(most) ?? [] {
            if let page = pages[place.name] { held.append((place.name, .decoded(page))) }
        }
        for newest in store.newest(most: most) where held.count < most {
            if !shows(newest.name) { held.append(newest) }
        }
        pinned = held
        return held.map(\.name)
    }

    func shows(_ name: PageName) -> Bool {
        answer?.pages.contains { $0.name == name } ?? false
    }

    /// Takes a received page.
    /// - Returns: true if the window shows it.
    mutating func take(_ page: DecodedPage, _ name: PageName) throws(ValetError) -> Bool {
        guard let place = answer?.pages.first(where: { $0.name == name }) else { return false }
        try check(page, at: place)
        pages[name] = page
        return true
    }

    /// Callers that show a row rely on its cells.
    private func check(_ page: DecodedPage, at place: PagePlace) throws(ValetError) {
        guard page.rowIDs.count == place.rows, page.columns.count == columnCount else {
            throw ValetError(
                .malformed,
                "malformed page: \(page.rowIDs.count) rows of \(page.columns.count) columns where "
                    + "\(place.rows) of \(columnCount) were announced")
        }
    }

    var isComplete: Bool {
        answer?.pages.allSatisfy { pages[$0.name] != nil } ?? false
    }

    /// The window, with the rows received so far.
    func window() -> Window? {
        guard let answer else { return nil }
        var rows = [Row?](repeating: nil, count: answer.rows)
        for place in answer.pages {
            guard let page = pages[place.name] else { continue }
            let first = max(place.first, answer.first)
            let end = min(place.first + page.rowIDs.count, answer.first + answer.rows)
            guard first < end else { continue }
            for ordinal in first..<end {
                let index = ordinal - place.first
                rows[ordinal - answer.first] = Row(
                    id: page.rowIDs[index], cells: page.columns.map { $0[index] })
            }
        }
        return Window(
            generation: answer.generation, revision: answer.revision, totalRows: answer.totalRows,
            totalSections: answer.totalSections, listRows: answer.listRows,
            sectionsVersion: answer.sectionsVersion, anchor: answer.anchor,
            anchorRow: Int(answer.anchorRow), first: answer.first, rows: rows, runs: answer.runs)
    }

    /// The row that held is where the answer says, in a complete window.
    func checkAnchor(of window: Window) throws(ValetError) {
        guard let request, let (rowID, ordinal) = answer?.held(request),
            window.rows.indices.contains(ordinal - window.first)
        else { return }
        guard window.rows[ordinal - window.first]?.id == rowID else {
            throw .broken("P108", "row \(rowID) does not hold at \(ordinal)")
        }
    }
}
