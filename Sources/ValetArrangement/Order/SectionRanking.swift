import ValetModel

/// The sections of an arrangement by their numbers of rows, largest first, ties in place.
///
/// Made in one walk over the section starts and a radix sort by count: four bytes per section.
package struct SectionRanking: Sendable {
    /// The arrangement's version: after a change of its rows it has another ranking.
    package let version: UInt64
    /// Section ordinals by rank.
    fileprivate let sections: [UInt32]

    package init(
        of arrangement: Arrangement, isCancelled: () -> Bool = { false }
    ) throws(CancellationError) {
        version = arrangement.version
        let order = arrangement.order
        var sizes = SectionSizes(reserving: order.sectionCount)
        try order.forEachStart(unless: isCancelled) { if $0 > 0 { sizes.endSection(at: $0) } }
        if order.rowCount > 0 { sizes.endSection(at: order.rowCount) }
        let (counts, most) = (sizes.counts, sizes.most)
        var sections = Array(0..<UInt32(counts.count))
        let bits = UInt32.bitWidth - most.leadingZeroBitCount
        try counts.withUnsafeBufferPointer { counts throws(CancellationError) in
            try RadixSort.sort(&sections, by: 0..<bits, isCancelled: isCancelled) {
                UInt64(most - counts[Int($0)])
            }
        }
        self.sections = sections
    }
}

private struct SectionSizes {
    private(set) var counts: [UInt32] = []
    private(set) var most: UInt32 = 0
    private var first = 0

    init(reserving count: Int) {
        counts.reserveCapacity(count)
    }

    @inline(__always)
    mutating func endSection(at end: Int) {
        let count = UInt32(end - first)
        most = max(most, count)
        counts.append(count)
        first = end
    }
}

extension ArrangedRows {
    /// Up to `count` sections from `rank` on. The ranking must be of this version.
    package func sections(
        ranked ranking: SectionRanking, from rank: Int, count: Int
    ) -> [SectionSummary] {
        precondition(ranking.version == arrangement.version)
        return ranking.sections.dropFirst(rank).prefix(count).flatMap {
            sections(from: Int($0), count: 1)
        }
    }
}
