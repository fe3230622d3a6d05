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
        var counts: [UInt32] = []
        counts.reserveCapacity(order.sectionCount)
        var sections: [UInt32] = []
        sections.reserveCapacity(order.sectionCount)
        var (first, most) = (0, UInt32(0))
        func endSection(at end: Int) {
            let count = UInt32(end - first)
            most = max(most, count)
            sections.append(UInt32(counts.count))
            counts.append(count)
            first = end
        }
        try order.forEachStart(unless: isCancelled) { if $0 > 0 { endSection(at: $0) } }
        if order.rowCount > 0 { endSection(at: order.rowCount) }
        let bits = UInt32.bitWidth - most.leadingZeroBitCount
        try counts.withUnsafeBufferPointer { counts throws(CancellationError) in
            try RadixSort.sort(&sections, by: 0..<bits, isCancelled: isCancelled) {
                UInt64(most - counts[Int($0)])
            }
        }
        self.sections = sections
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
