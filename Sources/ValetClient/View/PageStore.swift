import Collections
import ValetProtocol

/// The pages that a client keeps, least recently used first out.
struct PageStore {
    static let capacity = 256
    private var pages: OrderedDictionary<PageName, DecodedPage> = [:]

    subscript(name: PageName) -> DecodedPage? { pages[name] }

    mutating func insert(_ page: DecodedPage, for name: PageName) {
        pages.removeValue(forKey: name)
        pages[name] = page
        // A quarter at once: removing from the front moves everything behind.
        if pages.count > Self.capacity { pages.removeFirst(Self.capacity / 4) }
    }

    /// Names of the pages that were kept last, at most `most`.
    func names(most: Int) -> [PageName] {
        Array(pages.keys.suffix(most))
    }
}
