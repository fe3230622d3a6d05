import ValetArrangement
import ValetModel

/// A search with conditions, in the model's words.
struct ModelSearch {
    /// Without letters, only the conditions count.
    var text: String
    var columns: [Int]
    var match: TextMatch
    var lengths: ClosedRange<Int>?
    var conditions: [ModelCondition] = []

    func finds(_ id: Int64, in list: ModelList) -> Bool {
        (text.isEmpty || hasText(id, in: list)) && conditions.allSatisfy { $0.meets(id, in: list) }
    }

    private func hasText(_ id: Int64, in list: ModelList) -> Bool {
        let needle = TextFolding.fold(text)
        return columns.contains { column in
            guard let (folded, length) = list.value(id, column).searched else { return false }
            if let lengths, !lengths.contains(length) { return false }
            switch match {
            case .beginsWith: return folded.starts(with: needle)
            case .contains, .words:
                guard folded.count >= needle.count else { return false }
                return (0...folded.count - needle.count).contains {
                    folded[$0...].starts(with: needle)
                }
            }
        }
    }

    func filter(of descriptions: [ColumnDescription]) -> Filter? {
        let search = TextTest(text: text, columns: columns, match: match, lengths: lengths)
        return Filter(
            [search].compactMap { $0.map(FilterTest.text) }
                + conditions.compactMap { $0.test(of: descriptions) })
    }

    /// Without conditions.
    var filter: Filter? { filter(of: []) }
}

/// A condition on a column, decided by comparing cells one by one.
struct ModelCondition {
    var column: Int
    var comparison: Comparison
    var values: [Cell]

    func test(of descriptions: [ColumnDescription]) -> FilterTest? {
        ConditionTest(comparison, values, column: column, of: descriptions[column])
            .map(FilterTest.values)
    }

    func meets(_ id: Int64, in list: ModelList) -> Bool {
        let cell = list.rows[id]![column]
        switch comparison {
        case .isMissing: return cell.isMissing
        case .isPresent: return !cell.isMissing
        case .isOneOf: return values.contains { isEqual($0, id, in: list) }
        case .isNoneOf: return !values.contains { isEqual($0, id, in: list) }
        case .below: return order(values[0], id, in: list).map { $0 < 0 } ?? false
        case .atMost:
            let order = order(values[0], id, in: list)
            return order.map { $0 <= 0 } ?? isEqual(values[0], id, in: list)
        case .above: return order(values[0], id, in: list).map { $0 > 0 } ?? false
        case .atLeast:
            let order = order(values[0], id, in: list)
            return order.map { $0 >= 0 } ?? isEqual(values[0], id, in: list)
        case .contains, .beginsWith: return true
        }
    }

    /// The order of the row's value and another; nil if they are of different kinds.
    private func order(_ value: Cell, _ id: Int64, in list: ModelList) -> Int? {
        // In a condition, a text without letters is a text and not a missing value.
        let other = ModelValue(
            value, in: ColumnDescription(name: "", type: .text, defaultText: ""))
        switch (list.value(id, column), other) {
        case (.number, .number), (.text, .text):
            return ModelValue.order(list.value(id, column), other, isDescending: false)
        default: return nil
        }
    }

    private func isEqual(_ value: Cell, _ id: Int64, in list: ModelList) -> Bool {
        let description = list.descriptions[column]
        if description.type == .date, case .text(let span) = value,
            span.allSatisfy({ $0.isNumber || $0 == "-" }), [4, 7, 10].contains(span.count)
        {
            let day = ModelSection(list.value(id, column), .day, description.zone).title
            return day == span || day.hasPrefix(span + "-")
        }
        if order(value, id, in: list) == 0 { return true }
        guard description.type == .text else { return false }
        if case .text(_, let folded) = list.value(id, column) {
            guard let number = Self.number(writtenAs: String(decoding: folded, as: UTF8.self))
            else { return false }
            switch value {
            case .integer, .real:
                return ModelValue.order(.number(number), .number(value), isDescending: false) == 0
            case .null, .text, .malformedText, .cutText, .blob: return false
            }
        }
        guard case .text(let text) = value else { return false }
        let folded = String(decoding: TextFolding.fold(text), as: UTF8.self)
        return Self.number(writtenAs: folded).map { order($0, id, in: list) == 0 } ?? false
    }

    private static func number(writtenAs text: String) -> Cell? {
        if let number = Int64(text), "\(number)" == text { return .integer(number) }
        guard let real = Double(text), !real.isNaN, "\(real)" == text else { return nil }
        return .real(real)
    }
}
