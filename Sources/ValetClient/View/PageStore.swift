import Collections
import ValetModel
import ValetProtocol

/// A cached page, decoded when it is first shown.
enum StoredPage: Sendable {
    case raw(RawPage)
    case decoded(DecodedPage)

    func decoded() throws(ValetError) -> DecodedPage {
        switch self {
        case .raw(let page): try DecodedPage(page)
        case .decoded(let page): page
        }
    }
}

typealias HeldPage = (name: PageName, page: StoredPage)

/// A client's page cache, evicted in LRU order.
struct PageStore: Sendable {
    private struct Kept: Sendable {
        var page: StoredPage
        let byteCount: Int
    }

    private var pages: OrderedDictionary<PageName, Kept> = [:]
    private(set) var byteCount = 0

    var count: Int { pages.count }

    func contains(_ name: PageName) -> Bool { pages[name] != nil }

    /// The decoded page, if it is cached.
    mutating func decoded(_ name: PageName) throws(ValetError) -> DecodedPage? {
        guard let index = pages.index(forKey: name) else { return nil }
        let page = try pages.values[index].page.decoded()
        if case .raw = pages.values[index].page { pages.values[index].page = .decoded(page) }
        return page
    }

    /// - Parameter decoded: the same page, if it is already decoded.
    mutating func insert(_ raw: RawPage, decoded: DecodedPage? = nil, for name: PageName) {
        if let older = pages.removeValue(forKey: name) { byteCount -= older.byteCount }
        let kept = Kept(
            page: decoded.map(StoredPage.decoded) ?? .raw(raw.detached),
            byteCount: Self.byteCount(of: raw))
        pages[name] = kept
        byteCount += kept.byteCount
        let (mostPages, mostBytes) = (Limits.pagesKept, Limits.bytesOfPagesKept)
        guard pages.count > mostPages || byteCount > mostBytes else { return }
        // Evicts a quarter at once, because removing from the front moves all other entries.
        var dropped = 0
        while dropped < pages.count - 1,
            pages.count - dropped > mostPages * 3 / 4 || byteCount > mostBytes * 3 / 4
        {
            byteCount -= pages.values[dropped].byteCount
            dropped += 1
        }
        pages.removeFirst(dropped)
    }

    /// The page's size raw and decoded together, so that decoding does not change it: its encoding,
    /// which may be much larger than the cells that it claims, and those cells. Row ids count as a
    /// column.
    private static func byteCount(of page: RawPage) -> Int {
        page.byteCount + page.rowCount * (page.columnCount + 1) * MemoryLayout<Cell>.stride
    }

    /// Marks a page as shown again.
    mutating func touch(_ name: PageName) {
        if let page = pages.removeValue(forKey: name) { pages[name] = page }
    }

    /// The most recently shown pages, at most `most`.
    func newest(most: Int) -> some Sequence<HeldPage> {
        pages.elements.suffix(most).lazy.map { ($0.key, $0.value.page) }
    }
}
