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
    /// - Parameter isStillBehind: notifies a list; false if it needs no more calls.
    mutating func looked(at revision: UInt64, isStillBehind: (Int, UInt64) -> Bool) {
        if revision != self.revision {
            self.revision = revision
            behind = Array(0..<listCount)
        }
        behind.removeAll { !isStillBehind($0, revision) }
    }
}
