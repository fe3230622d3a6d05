import DequeModule
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
        /// The number of its newest use.
        var use: Int
    }

    private var pages: [PageName: Kept] = [:]
    /// In order. Only the newest use of a page counts: the others are dropped when there are many.
    private var uses: Deque<(name: PageName, number: Int)> = []
    private var newestUse = 0
    private(set) var byteCount = 0

    var count: Int { pages.count }

    func contains(_ name: PageName) -> Bool { pages[name] != nil }

    /// The decoded page, if it is cached.
    mutating func decoded(_ name: PageName) throws(ValetError) -> DecodedPage? {
        guard let kept = pages[name] else { return nil }
        let page = try kept.page.decoded()
        if case .raw = kept.page { pages[name]?.page = .decoded(page) }
        return page
    }

    /// - Parameter decoded: the same page, if it is already decoded.
    mutating func insert(_ raw: RawPage, decoded: DecodedPage? = nil, for name: PageName) {
        byteCount -= pages[name]?.byteCount ?? 0
        let kept = Kept(
            page: decoded.map(StoredPage.decoded) ?? .raw(raw.detached),
            byteCount: Self.byteCount(of: raw), use: 0)
        pages[name] = kept
        byteCount += kept.byteCount
        touch(name)
        while pages.count > Limits.pagesKept || byteCount > Limits.bytesOfPagesKept,
            pages.count > 1, let oldest = uses.popFirst()
        {
            guard isNewest(oldest), let dropped = pages.removeValue(forKey: oldest.name) else {
                continue
            }
            byteCount -= dropped.byteCount
        }
    }

    /// The page's size raw and decoded together, so that decoding does not change it: its encoding,
    /// which may be much larger than the cells that it claims, and those cells. Row ids count as a
    /// column.
    private static func byteCount(of page: RawPage) -> Int {
        page.byteCount + page.rowCount * (page.columnCount + 1) * MemoryLayout<Cell>.stride
    }

    /// Marks a page as shown again.
    mutating func touch(_ name: PageName) {
        guard pages[name] != nil else { return }
        newestUse += 1
        pages[name]?.use = newestUse
        uses.append((name, newestUse))
        if uses.count > 4 * Limits.pagesKept {
            uses = Deque(uses.lazy.filter { [pages] in pages[$0.name]?.use == $0.number })
        }
    }

    private func isNewest(_ use: (name: PageName, number: Int)) -> Bool {
        pages[use.name]?.use == use.number
    }

    /// The most recently shown pages, at most `most`.
    func newest(most: Int) -> some Sequence<HeldPage> {
        uses.reversed().lazy.filter(isNewest).prefix(most).reversed().lazy
            .compactMap { use in pages[use.name].map { (use.name, $0.page) } }
    }
}
