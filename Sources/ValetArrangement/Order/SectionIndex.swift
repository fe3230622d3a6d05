import ValetModel

/// The section index: titles that jump to sections.
extension ArrangedRows {
    /// At most `most` titles in order, each with the first section that has it. A list with more is
    /// thinned evenly; its first and last title stay.
    package func index(most: Int) -> [IndexEntry] {
        guard most > 0, sectionCount > 0, isSectioned else { return [] }
        switch titles.indexTitles {
        case .none: return []
        case .wholeValue:
            return Self.places(of: sectionCount, most: most).map { entry(ofSection: $0) }
        case .firstLetter:
            guard let starts = letterStarts() else {
                // More letters than anyone reads: take those of sections that stand evenly apart.
                let places = Self.places(of: sectionCount, most: most)
                return merged(letterStarts(of: places).map { entry(ofSection: $0) })
            }
            let all = merged(starts.map { entry(ofSection: $0) })
            return Self.places(of: all.count, most: most).map { all[$0] }
        }
    }

    func indexTitle(ofSectionOf slot: UInt32) -> String? {
        guard isSectioned, titles.indexTitles != .none else { return nil }
        if isUnknown(sectionOf: slot) { return ColumnDescription.missing }
        switch titles.indexTitles {
        case .none: return nil
        case .wholeValue: return title(ofSectionOf: slot)
        case .firstLetter: return letterTitle(ofSectionOf: slot)
        }
    }

    private func entry(ofSection section: Int) -> IndexEntry {
        let (first, slot) = arrangement.order.start(ofSection: section)
        return IndexEntry(
            title: indexTitle(ofSectionOf: slot) ?? "", section: section, first: first)
    }

    /// Up to `most` of the numbers below `count`, evenly, with the first and the last.
    private static func places(of count: Int, most: Int) -> [Int] {
        guard count > most else { return Array(0..<count) }
        guard most > 1 else { return [0] }
        return (0..<most).map { $0 * (count - 1) / (most - 1) }
    }

    /// Neighbours with the same title are one entry.
    private func merged(_ entries: [IndexEntry]) -> [IndexEntry] {
        var merged: [IndexEntry] = []
        for entry in entries where merged.last?.title != entry.title { merged.append(entry) }
        return merged
    }
}

// MARK: - Letters

extension ArrangedRows {
    /// First scalars that the walk looks at before it gives up on finding all.
    private static var mostLetters: Int { 512 }

    /// The first section of each run of sections that begin with the same scalar; nil if there are
    /// too many. Sections are ordered by folded text, so a run is never interrupted, and its end is
    /// found by binary search: O(letters · log² n), however many sections there are.
    private func letterStarts() -> [Int]? {
        var starts: [Int] = []
        var section = 0
        while section < sectionCount {
            guard starts.count < Self.mostLetters else { return nil }
            starts.append(section)
            let scalar = firstScalar(ofSection: section)
            section = (section + 1..<sectionCount).firstNotBefore {
                firstScalar(ofSection: $0) == scalar
            }
        }
        return starts
    }

    /// The first sections of the runs that some sections stand in, which are given in order.
    private func letterStarts(of sections: [Int]) -> [Int] {
        var starts: [Int] = []
        var last: (section: Int, scalar: FirstScalar)?
        for section in sections {
            let scalar = firstScalar(ofSection: section)
            guard scalar != last?.scalar else { continue }
            // A run that the last section is not in begins after it.
            let start = ((last?.section ?? -1) + 1..<section).firstNotBefore {
                firstScalar(ofSection: $0) != scalar
            }
            starts.append(start)
            last = (section, scalar)
        }
        return starts
    }

    /// What orders a section by its beginning: equal for neighbours only.
    private func firstScalar(ofSection section: Int) -> FirstScalar {
        let column = sectionColumn!
        let slot = arrangement.order.start(ofSection: section).slot
        if isUnknown(sectionOf: slot) { return .missing }
        let value = column[slot]
        switch value {
        case .missing: return .missing
        case .integer, .real: return .number
        case .blob: return .blob
        case .text(let code):
            if arrangement.specification.expression == .firstLetter {
                let key = SectionKey(value, .firstLetter, zone: nil, in: column.dictionary)
                if case .number(let letter) = key { return .scalar(UInt32(letter)) }
                return .noLetter
            }
            let bytes = column.dictionary.withFolded(code) { Array($0.prefix(4)) } ?? []
            let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first
            return scalar.map { .scalar($0.value) } ?? .empty
        }
    }

    private enum FirstScalar: Equatable {
        case empty, number, blob, noLetter, missing
        case scalar(UInt32)
    }

    private func letterTitle(ofSectionOf slot: UInt32) -> String {
        let column = sectionColumn!
        return SectionKey(column[slot], .firstLetter, zone: nil, in: column.dictionary)
            .title(.firstLetter)
    }
}
