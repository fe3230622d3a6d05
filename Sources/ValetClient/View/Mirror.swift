import ValetModel
import ValetProtocol

/// A client's copy of one view's window: the newest answer, and the pages that it names.
struct Mirror {
    private(set) var answer: WindowAnswer?
    private var pages: [PageName: DecodedPage] = [:]

    /// Takes a new answer, keeping the pages that it names and that are here.
    mutating func take(_ answer: WindowAnswer, from store: PageStore) {
        var kept: [PageName: DecodedPage] = [:]
        for place in answer.pages { kept[place.name] = pages[place.name] ?? store[place.name] }
        pages = kept
        self.answer = answer
    }

    /// Pages that the client says it holds are kept here until the answer, whatever the store drops.
    mutating func pin(_ names: [PageName], from store: PageStore) {
        for name in names where pages[name] == nil { pages[name] = store[name] }
    }

    /// Takes a page that arrived.
    /// - Returns: true when the window shows it.
    mutating func take(
        _ page: DecodedPage, _ name: PageName
    ) throws(ValetError) -> Bool {
        guard let place = answer?.pages.first(where: { $0.name == name }) else { return false }
        guard page.rowIDs.count == place.rows else {
            throw ValetError(
                .malformed,
                "malformed page: \(page.rowIDs.count) rows where \(place.rows) were announced")
        }
        pages[name] = page
        return true
    }

    var isComplete: Bool {
        answer?.pages.allSatisfy { pages[$0.name] != nil } ?? false
    }

    /// The window as far as its rows are here.
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
            generation: answer.generation, revision: answer.revision,
            totalRows: answer.totalRows, totalSections: answer.totalSections,
            anchor: answer.anchor, first: answer.first, rows: rows, runs: answer.runs)
    }
}
