import Foundation
import ValetModel
import ValetProtocol

/// A window as the names of its pages: when it was whole, and in which revision.
struct PageMirror {
    struct Whole: Hashable, Sendable {
        var revision: UInt64
        /// Since 1970, UTC.
        var microseconds: Int64
    }

    /// Microseconds since 1970, UTC, as a server counts them.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// Answers to other requests are ignored.
    var request: UInt32 = 0
    private(set) var wholes: [Whole] = []
    private var answer: WindowAnswer?
    private var held: Set<PageName> = []
    /// Bytes that are missing of pages that have begun.
    private var missing: [PageName: Int] = [:]
    private var assembler = PageAssembler()
    /// Until the first window was whole. Later pages are not even decompressed.
    private var firstPages: [PageName: RawPage]? = [:]

    var isEmpty: Bool { answer == nil }

    mutating func take(_ answer: WindowAnswer, at microseconds: Int64) {
        guard answer.request == request else { return }
        self.answer = answer
        held.formIntersection(answer.pages.map(\.name))
        noteIfWhole(at: microseconds)
    }

    /// - Returns: whether the page was whole with this.
    mutating func take(
        _ frame: PageFrame, at microseconds: Int64
    ) throws(ValetError) -> Bool {
        if firstPages != nil, let page = try assembler.add(frame) { firstPages?[frame.name] = page }
        let before = frame.sizes?.encodedBytes ?? missing[frame.name] ?? 0
        missing[frame.name] = frame.isGivenUp ? nil : before - frame.part.readableBytes
        guard missing[frame.name] == 0 else { return false }
        missing[frame.name] = nil
        guard let answer, answer.pages.contains(where: { $0.name == frame.name }),
            held.insert(frame.name).inserted
        else { return true }
        noteIfWhole(at: microseconds)
        return true
    }

    private mutating func noteIfWhole(at microseconds: Int64) {
        guard let answer, answer.pages.allSatisfy({ held.contains($0.name) }) else { return }
        wholes.append(Whole(revision: answer.revision, microseconds: microseconds))
    }

    /// The ids of the window's rows, once, as soon as it was whole.
    mutating func takeFirstRows() throws(ValetError) -> [Int64]? {
        guard let answer, !wholes.isEmpty, let pages = firstPages else { return nil }
        firstPages = nil
        var rowIDs: [Int64] = []
        for place in answer.pages {
            guard let page = pages[place.name] else { continue }
            for (index, rowID) in try DecodedPage(page).rowIDs.enumerated() {
                let ordinal = place.first + index
                guard ordinal >= answer.first, ordinal < answer.first + answer.rows else {
                    continue
                }
                rowIDs.append(rowID)
            }
        }
        return rowIDs
    }
}
