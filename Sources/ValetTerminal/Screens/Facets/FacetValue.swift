import ValetModel

/// A value that a section stands for.
enum FacetValue: Hashable, Sendable {
    /// Rows that have none.
    case missing
    /// By the section's title.
    case titled(String)

    init(_ section: SectionSummary) {
        self = section.isUnknown ? .missing : .titled(section.title)
    }

    /// Those that a condition picks out.
    static func values(of condition: Condition, in column: ColumnDescription) -> [FacetValue] {
        switch condition.comparison {
        case .isMissing: [.missing]
        case .isOneOf:
            condition.values.compactMap { $0.facetTitle(in: column).map(FacetValue.titled) }
        case .isNoneOf, .below, .atMost, .above, .atLeast, .contains, .beginsWith, .isPresent,
            .between, .doesNotContain:
            []
        }
    }
}

extension ColumnDescription {
    /// What rows with any of some values have in common; nil if no conditions say that.
    func conditions(of values: [FacetValue], _ cut: FacetCut) -> [Condition]? {
        if case .ranges = cut {
            return values.count == 1 ? conditions(ofRange: values[0]) : nil
        }
        let all = values.map { condition(of: $0) }
        let conditions = all.compactMap(\.self)
        guard conditions.count == all.count else { return nil }
        if conditions.count == 1 { return conditions }
        guard conditions.allSatisfy({ $0.comparison == .isOneOf }) else { return nil }
        return [Condition(column: name, .isOneOf, conditions.flatMap(\.values))]
    }

    private func conditions(ofRange value: FacetValue) -> [Condition]? {
        guard case .titled(let title) = value, let span = FacetCut.span(title) else {
            return [Condition(column: name, .isMissing)]
        }
        func cell(_ bound: Double) -> Cell {
            Int64(exactly: bound).map(Cell.integer) ?? .real(bound)
        }
        return [
            span.from.map { Condition(column: name, .atLeast, [cell($0)]) },
            span.to.map { Condition(column: name, .below, [cell($0)]) },
        ].compactMap(\.self)
    }

    /// What the rows of a section by whole values have in common; nil if a title doesn't tell.
    func condition(of value: FacetValue) -> Condition? {
        switch value {
        case .missing: Condition(column: name, .isMissing)
        case .titled(let title): condition(ofTitle: title)
        }
    }

    private func condition(ofTitle title: String) -> Condition? {
        // A title may have been cut.
        let isWhole = title.utf8.count < Limits.bytesPerTitle - 4
        switch type {
        case .text:
            return Condition(column: name, isWhole ? .isOneOf : .beginsWith, [.text(title)])
        case .boolean:
            if title == "Yes" || title == "No" {
                return Condition(column: name, .isOneOf, [.integer(title == "Yes" ? 1 : 0)])
            }
        case .blob:
            // Bytes are titled by their number, which says nothing of them. A number and a text may
            // have the same title: it stands for both.
            guard !title.isCountOfBytes else { return nil }
            guard isWhole else { return Condition(column: name, .beginsWith, [.text(title)]) }
            let values = [Self.number(title), .text(title)].compactMap(\.self)
            return Condition(column: name, .isOneOf, values)
        case .integer, .real, .date: break
        }
        let isTime = type == .date && WallTime.span(title) != nil
        let number = isTime ? nil : Self.number(title)
        return Condition(column: name, .isOneOf, [number ?? .text(title)])
    }

    /// A number as it is titled; nil for what is none.
    private static func number(_ title: String) -> Cell? {
        if let number = Int64(title) { return .integer(number) }
        // `Double` reads words, too; an infinity has one.
        guard let real = Double(title), real.isFinite || String(real) == title, !real.isNaN else {
            return nil
        }
        return .real(real)
    }
}

extension String {
    fileprivate var isCountOfBytes: Bool { wholeMatch(of: /1 byte|[0-9]+ bytes/) != nil }
}

extension SectionsPage {
    /// Where these are all: those of one title as one, as a filter finds them. A number and a text
    /// may have the same.
    func merged(
        by order: WantedSections.Order, _ key: (FacetValue) -> [UInt8]?
    ) -> SectionsPage {
        guard sections.count == totalSections, sections.count < Limits.valuesPerCondition else {
            return self
        }
        var (kept, places) = ([SectionSummary](), [[UInt8]?: Int]())
        for section in sections {
            let key = key(FacetValue(section))
            if let place = places[key] {
                kept[place].count += section.count
            } else {
                places[key] = kept.count
                kept.append(section)
            }
        }
        guard kept.count < sections.count else { return self }
        if order == .byRows { kept.sort { $0.count > $1.count } }
        return SectionsPage(totalRows: totalRows, totalSections: kept.count, sections: kept)
    }

    /// Those of more than one row; what is missing is no value that is there twice.
    var repeated: SectionsPage {
        let kept = sections.filter { $0.count > 1 && !$0.isUnknown }
        return SectionsPage(
            totalRows: totalRows, totalSections: kept.count, sections: kept)
    }
}

extension Cell {
    /// As a section by whole values is titled.
    fileprivate func facetTitle(in column: ColumnDescription) -> String? {
        switch self {
        case .integer(let number) where column.type == .boolean && (0...1).contains(number):
            number == 1 ? "Yes" : "No"
        case .integer(let number): String(number)
        case .real(let real): String(real)
        case .text(let text): text
        case .null, .malformedText, .cutText, .blob: nil
        }
    }
}
