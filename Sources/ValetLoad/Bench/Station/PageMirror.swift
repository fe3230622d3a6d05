import ValetModel
import ValetProtocol

/// A window as the names of its pages: when it was whole, and in which revision.
struct PageMirror {
    struct Whole: Hashable, Sendable {
        var revision: UInt64
        /// Since 1970, UTC.
        var microseconds: Int64
    }

    /// Answers to other requests are ignored.
    let request: UInt32
    private(set) var wholes: [Whole] = []
    private(set) var answer: WindowAnswer?
    private var held: Set<PageName> = []

    init(of request: UInt32) {
        self.request = request
    }

    /// - Returns: whether the window is whole with this.
    mutating func take(_ answer: WindowAnswer, at microseconds: Int64) -> Bool {
        guard answer.request == request else { return false }
        self.answer = answer
        held.formIntersection(answer.pages.map(\.name))
        return noteIfWhole(at: microseconds)
    }

    /// A page that is here with all its parts.
    /// - Returns: whether the window is whole with this.
    mutating func take(_ page: PageName, at microseconds: Int64) -> Bool {
        guard let answer, answer.pages.contains(where: { $0.name == page }),
            held.insert(page).inserted
        else { return false }
        return noteIfWhole(at: microseconds)
    }

    private mutating func noteIfWhole(at microseconds: Int64) -> Bool {
        guard let answer, answer.pages.allSatisfy({ held.contains($0.name) }) else { return false }
        wholes.append(Whole(revision: answer.revision, microseconds: microseconds))
        return true
    }

    /// The ids of the window's rows.
    func rowIDs(in pages: [PageName: RawPage]) throws(ValetError) -> [Int64] {
        var rowIDs: [Int64] = []
        for place in answer?.pages ?? [] {
            guard let answer, let page = pages[place.name] else { continue }
            for (index, rowID) in try DecodedPage(page).rowIDs.enumerated()
            where answer.first..<answer.first + answer.rows ~= place.first + index {
                rowIDs.append(rowID)
            }
        }
        return rowIDs
    }
}
