import Collections
import ValetProtocol

typealias HeldPage = (name: PageName, page: DecodedPage)

/// The pages that a client keeps, least recently shown first out.
struct PageStore {
    static let mostPages = 256
    /// Cells of all pages: pages of hundreds of columns are as many megabytes.
    static let mostCells = 1 << 19

    private var pages: OrderedDictionary<PageName, DecodedPage> = [:]
    private(set) var cellCount = 0

    var count: Int { pages.count }

    subscript(name: PageName) -> DecodedPage? { pages[name] }

    mutating func insert(_ page: DecodedPage, for name: PageName) {
        if let older = pages.removeValue(forKey: name) { cellCount -= Self.cells(of: older) }
        pages[name] = page
        cellCount += Self.cells(of: page)
        guard pages.count > Self.mostPages || cellCount > Self.mostCells else { return }
        // A quarter at once: removing from the front moves everything behind.
        var dropped = 0
        while dropped < pages.count - 1,
            pages.count - dropped > Self.mostPages * 3 / 4 || cellCount > Self.mostCells * 3 / 4
        {
            cellCount -= Self.cells(of: pages.values[dropped])
            dropped += 1
        }
        pages.removeFirst(dropped)
    }

    /// A page is shown again.
    mutating func touch(_ name: PageName) {
        if let page = pages.removeValue(forKey: name) { pages[name] = page }
    }

    /// The pages that were shown last, at most `most`.
    func newest(most: Int) -> [HeldPage] {
        pages.elements.suffix(most).map { ($0.key, $0.value) }
    }

    private static func cells(of page: DecodedPage) -> Int {
        page.rowIDs.count * (page.columns.count + 1)
    }
}
