import ValetModel

/// How a view words its sections: presentation, so that views that differ in it share an
/// arrangement.
package struct SectionTitles: Hashable, Sendable {
    /// `{}` stands for the section's value.
    package let template: String?
    package let indexTitles: IndexTitles
    /// What stands before and behind the value in a title.
    private let head: String
    private let tail: String

    /// A template with no place for the value counts as none.
    package init(template: String?, indexTitles: IndexTitles) {
        self.template = template
        self.indexTitles = indexTitles
        let scalars = (template ?? "").unicodeScalars
        let place = scalars.indices.first { scalars[$0...].starts(with: "{}".unicodeScalars) }
        head = place.map { String(scalars[..<$0]) } ?? ""
        tail = place.map { String(scalars[$0...].dropFirst(2)) } ?? ""
    }

    func title(_ value: String) -> String { head + value + tail }

    /// The value that a title was made from, if the template made it. Titles are cut by bytes,
    /// since a value that begins with a mark forms one character with what is before it.
    func value(in title: String) -> String {
        let bytes = title.utf8
        guard bytes.count >= head.utf8.count + tail.utf8.count, bytes.starts(with: head.utf8),
            bytes.suffix(tail.utf8.count).elementsEqual(tail.utf8)
        else { return title }
        let value = bytes.dropFirst(head.utf8.count).dropLast(tail.utf8.count)
        return String(decoding: value, as: UTF8.self)
    }
}

extension ArrangedRows {
    /// The title of the section whose first row is `slot`, as that row writes it.
    func title(ofSectionOf slot: UInt32) -> String {
        title(ofSectionBy: sectionColumn.map { $0[slot] })
    }

    /// The same by that row's value; nil without sections by a column.
    func title(ofSectionBy value: KeyValue?) -> String {
        titles.title(plainTitle(ofSectionBy: value)).cut(toBytes: Limits.bytesPerTitle)
    }

    static var blobTitleEnd: String { " bytes" }

    private func plainTitle(ofSectionBy value: KeyValue?) -> String {
        guard let value, let column = sectionColumn, !arrangement.specification.isFlat else {
            return ""
        }
        let expression = arrangement.specification.expression
        guard expression == .wholeValue else {
            return SectionKey(value, expression, in: column.dictionary).title(expression)
        }
        switch value {
        case .missing: return ColumnDescription.unknown
        case .integer(let number): return String(number)
        case .real(let real): return String(real)
        case .text(let code): return column.dictionary.text(code) ?? ""
        case .blob(let byteCount): return String(byteCount) + Self.blobTitleEnd
        }
    }

    var sectionColumn: Column? {
        arrangement.specification.sectionColumn.map(cache.column)
    }
}

// MARK: - Sections in order

extension ArrangedRows {
    /// Up to `count` sections from ordinal `start` on.
    package func sections(from start: Int, count: Int) -> [SectionSummary] {
        guard start < sectionCount else { return [] }
        let end = start + min(count, sectionCount - start)
        var first = arrangement.order.firstRow(ofSection: start)
        return (start..<end).map { section in
            let next = arrangement.order.firstRow(ofSection: section + 1)
            let slot = arrangement.order.slot(at: first)
            defer { first = next }
            return SectionSummary(
                section: section, title: title(ofSectionOf: slot), first: first,
                count: next - first, indexTitle: indexTitle(ofSectionOf: slot))
        }
    }
}
