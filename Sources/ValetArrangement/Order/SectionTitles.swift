import ValetModel

/// How a view words its sections: presentation, so that views that differ in it share an arrangement.
package struct SectionTitles: Hashable, Sendable {
    /// `{}` stands for the section's value.
    package var template: String?
    package var indexTitles: IndexTitles

    package init(template: String?, indexTitles: IndexTitles) {
        self.template = template
        self.indexTitles = indexTitles
    }

    static let placeholder = "{}"

    func title(_ value: String) -> String {
        guard let template, let place = template.firstRange(of: Self.placeholder) else {
            return value
        }
        return template.replacingCharacters(in: place, with: value)
    }

    /// The value that a title was made from, if the template made it.
    func value(in title: String) -> Substring {
        guard let template, let place = template.firstRange(of: Self.placeholder) else {
            return title[...]
        }
        let head = template[..<place.lowerBound]
        let tail = template[place.upperBound...]
        guard title.count >= head.count + tail.count, title.hasPrefix(head), title.hasSuffix(tail)
        else { return title[...] }
        return title.dropFirst(head.count).dropLast(tail.count)
    }
}

extension String {
    fileprivate func replacingCharacters(
        in range: Range<String.Index>, with text: String
    ) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }

    /// The standard library's `ranges(of:)` takes the same way to find one.
    fileprivate func firstRange(of needle: String) -> Range<String.Index>? {
        ranges(of: needle).first
    }
}

extension ArrangedRows {
    /// The title of the section whose first row is `first`, as that row writes it.
    func title(ofSectionAt first: Int) -> String {
        titles.title(plainTitle(ofSectionAt: first)).cut(toBytes: Limits.bytesPerTitle)
    }

    private func plainTitle(ofSectionAt first: Int) -> String {
        guard let column = sectionColumn, !arrangement.specification.isFlat else { return "" }
        let value = column[arrangement.tree.slot(at: first)]
        let expression = arrangement.specification.expression
        guard expression == .wholeValue else {
            return SectionKey(value, expression, in: column.dictionary).title(expression)
        }
        switch value {
        case .missing: return ColumnDescription.unknown
        case .integer(let number): return String(number)
        case .real(let real): return String(real)
        case .text(let code): return column.dictionary.text(code) ?? ""
        case .blob(let byteCount): return "\(byteCount) bytes"
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
        var first = arrangement.tree.firstRow(ofSection: start)
        return (start..<end).map { section in
            let next = arrangement.tree.firstRow(ofSection: section + 1)
            defer { first = next }
            return SectionSummary(
                section: section, title: title(ofSectionAt: first), first: first,
                count: next - first, indexTitle: indexTitle(ofSectionAt: first))
        }
    }
}
