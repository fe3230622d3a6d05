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
        switch type {
        case .text:
            // A title may have been cut.
            let isWhole = title.utf8.count < Limits.bytesPerTitle - 4
            return Condition(column: name, isWhole ? .isOneOf : .beginsWith, [.text(title)])
        case .boolean:
            if title == "Yes" || title == "No" {
                return Condition(column: name, .isOneOf, [.integer(title == "Yes" ? 1 : 0)])
            }
        case .integer, .real, .date, .blob: break
        }
        if type != .date || WallTime.span(title) == nil {
            if let number = Int64(title) {
                return Condition(column: name, .isOneOf, [.integer(number)])
            }
            if let real = Double(title), real.isFinite {
                return Condition(column: name, .isOneOf, [.real(real)])
            }
        }
        return type == .blob ? nil : Condition(column: name, .isOneOf, [.text(title)])
    }
}

extension SectionsPage {
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
