import ValetModel

/// How a view titles its sections. Titles are presentation only, so views that differ in them share
/// an arrangement.
package struct SectionTitles: Hashable, Sendable {
    /// `{}` is replaced by the section's value.
    package let template: String?
    package let indexTitles: IndexTitles
    let usesTwelveHours: Bool
    /// 1 and 0 are titled Yes and No.
    let isBoolean: Bool
    /// The template's text before and after the value.
    private let head: String
    private let tail: String
    let foldedHead: [UInt8]
    private let foldedTail: [UInt8]

    /// A template without a placeholder counts as none.
    package init(
        template: String?, indexTitles: IndexTitles, usesTwelveHours: Bool = false,
        isBoolean: Bool = false
    ) {
        self.usesTwelveHours = usesTwelveHours
        self.isBoolean = isBoolean
        self.template = template
        self.indexTitles = indexTitles
        let scalars = (template ?? "").unicodeScalars
        let place = scalars.indices.first { scalars[$0...].starts(with: "{}".unicodeScalars) }
        head = place.map { String(scalars[..<$0]) } ?? ""
        tail = place.map { String(scalars[$0...].dropFirst(2)) } ?? ""
        foldedHead = TextFolding.fold(head)
        foldedTail = TextFolding.fold(tail)
    }

    static let yes = "Yes"
    static let no = "No"

    func title(_ value: String) -> String { head + value + tail }

    /// Titles are cut at `Limits.bytesPerTitle`; folding drops accents, which make up at most half
    /// of the bytes in most texts.
    static let fewestFoldedBytesOfCutTitles = Limits.bytesPerTitle / 4

    /// The folded values that may have produced a folded title: one, or several if the title may
    /// have been cut in the template's text after the value.
    func values(inFolded title: [UInt8]) -> [[UInt8]] {
        guard title.starts(with: foldedHead) else { return [] }
        let rest = title.dropFirst(foldedHead.count)
        let mayBeCut = title.count >= Self.fewestFoldedBytesOfCutTitles
        let ends = mayBeCut ? Array(0...foldedTail.count) : [foldedTail.count]
        return ends.filter { rest.suffix($0).elementsEqual(foldedTail.prefix($0)) }
            .map { Array(rest.dropLast($0)) }
    }
}

extension ArrangedRows {
    /// The title of the section whose first row is `slot`, in that row's spelling.
    func title(ofSectionOf slot: UInt32) -> String {
        title(ofSectionBy: sectionColumn.map { $0[slot] })
    }

    /// The title for that row's value; empty without sections.
    func title(ofSectionBy value: KeyValue?) -> String {
        guard isSectioned else { return "" }
        return titles.title(plainTitle(ofSectionBy: value)).cut(toBytes: Limits.bytesPerTitle)
    }

    static func blobTitle(_ byteCount: Int) -> String {
        byteCount == 1 ? "1 byte" : "\(byteCount) bytes"
    }

    /// The title without the template's text, and uncut.
    func plainTitle(ofSectionBy value: KeyValue?) -> String {
        guard let value, let column = sectionColumn, isSectioned else { return "" }
        let expression = arrangement.specification.expression
        guard expression == .wholeValue else {
            let zone = arrangement.specification.zone
            return title(of: SectionKey(value, expression, zone: zone, in: column.dictionary))
        }
        switch value {
        case .missing: return ColumnDescription.missing
        case .integer(1) where titles.isBoolean, .real(1) where titles.isBoolean:
            return SectionTitles.yes
        case .integer(0) where titles.isBoolean, .real(0) where titles.isBoolean:
            return SectionTitles.no
        case .integer(let number): return String(number)
        case .real(let real): return String(real)
        case .text(let code): return column.dictionary.text(code) ?? ""
        case .blob(let byteCount): return Self.blobTitle(byteCount)
        }
    }

    /// Whether the section is of the rows that have no value for it.
    func isUnknown(sectionOf slot: UInt32) -> Bool {
        guard let column = sectionColumn, isSectioned else { return false }
        let specification = arrangement.specification
        if specification.expression == .wholeValue { return column.stored(slot) == .missing }
        return SectionKey(
            column[slot], specification.expression, zone: specification.zone,
            in: column.dictionary) == .missing
    }

    /// The title of a section that covers several values.
    func title(of key: SectionKey) -> String {
        key.title(arrangement.specification.expression, usesTwelveHours: titles.usesTwelveHours)
    }

    /// False if the whole list is one untitled section.
    var isSectioned: Bool {
        arrangement.specification.sectionColumn != nil && !arrangement.specification.isFlat
    }

    var sectionColumn: Column? { arrangement.specification.sectionColumn.map(cache.column) }
}

// MARK: - Sections in order

extension ArrangedRows {
    /// Up to `count` sections from ordinal `start` on.
    package func sections(from start: Int, count: Int) -> [SectionSummary] {
        guard start < sectionCount else { return [] }
        let end = start + min(count, sectionCount - start)
        let starts = (start..<end).map { arrangement.order.start(ofSection: $0) }
        let ends = starts.dropFirst().map(\.ordinal) + [arrangement.order.firstRow(ofSection: end)]
        return zip(starts, ends).enumerated().map { index, place in
            let ((first, slot), next) = place
            return SectionSummary(
                section: start + index, title: title(ofSectionOf: slot), first: first,
                count: next - first, indexTitle: indexTitle(ofSectionOf: slot),
                isUnknown: isUnknown(sectionOf: slot))
        }
    }
}
