import Collections
import ValetModel
import ValetProtocol

/// A page that a client keeps: decoded when it is shown first.
enum StoredPage {
    case raw(RawPage)
    case decoded(DecodedPage)

    func decoded() throws(ValetError) -> DecodedPage {
        switch self {
        case .raw(let page): try DecodedPage(page)
        case .decoded(let page): page
        }
    }

    /// Row ids count as a column.
    fileprivate var cellCount: Int {
        switch self {
        case .raw(let page): page.rowCount * (page.columnCount + 1)
        case .decoded(let page): page.rowIDs.count * (page.columns.count + 1)
        }
    }
}

typealias HeldPage = (name: PageName, page: StoredPage)

/// The pages that a client keeps, least recently shown first out.
struct PageStore {
    static let mostPages = 256
    /// Cells of all pages: pages of hundreds of columns are as many megabytes.
    static let mostCells = 1 << 19

    private var pages: OrderedDictionary<PageName, StoredPage> = [:]
    private(set) var cellCount = 0

    var count: Int { pages.count }

    func contains(_ name: PageName) -> Bool { pages[name] != nil }

    /// The page for showing it, if it is here.
    mutating func decoded(_ name: PageName) throws(ValetError) -> DecodedPage? {
        guard let index = pages.index(forKey: name) else { return nil }
        let page = try pages.values[index].decoded()
        if case .raw = pages.values[index] { pages.values[index] = .decoded(page) }
        return page
    }

    mutating func insert(_ page: StoredPage, for name: PageName) {
        if let older = pages.removeValue(forKey: name) { cellCount -= older.cellCount }
        pages[name] = page
        cellCount += page.cellCount
        guard pages.count > Self.mostPages || cellCount > Self.mostCells else { return }
        // A quarter at once: removing from the front moves everything behind.
        var dropped = 0
        while dropped < pages.count - 1,
            pages.count - dropped > Self.mostPages * 3 / 4 || cellCount > Self.mostCells * 3 / 4
        {
            cellCount -= pages.values[dropped].cellCount
            dropped += 1
        }
        pages.removeFirst(dropped)
    }

    /// A page is shown again.
    mutating func touch(_ name: PageName) {
        if let page = pages.removeValue(forKey: name) { pages[name] = page }
    }

    /// The pages that were shown last, at most `most`.
    func newest(most: Int) -> some Sequence<HeldPage> {
        pages.elements.suffix(most).lazy.map { ($0.key, $0.value) }
    }
}
