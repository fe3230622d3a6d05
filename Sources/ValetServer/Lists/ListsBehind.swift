/// The lists that do not show the file's newest revision yet. Only these are notified at every
/// look, so that a file that does not change costs nothing.
struct ListsBehind {
    private let listCount: Int
    private var revision: UInt64 = 0
    private var behind: [Int] = []

    init(listCount: Int) {
        self.listCount = listCount
    }

    /// The file now has this revision.
    ///
    /// - Returns: the lists to notify.
    mutating func looked(at revision: UInt64) -> [Int] {
        if revision != self.revision {
            self.revision = revision
            behind = Array(0..<listCount)
        }
        return behind
    }

    /// Of those that were notified, these are behind still.
    mutating func stay(_ lists: [Int]) {
        behind = lists
    }
}
