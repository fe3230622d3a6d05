import ValetModel

/// A search or a condition as PROTOCOL.md has it, asked of one cell after the other.
package struct RowTest: Sendable {
    /// A row passes if the value of one of these columns does.
    package let columns: [Int]
    private let wanted: Wanted

    private enum Wanted: Sendable {
        case text([UInt8], TextMatch, lengths: ClosedRange<Int>?)
        /// A word, and what numbers and dates may begin with.
        case word([UInt8], digits: String?, lengths: ClosedRange<Int>?)
        case condition(Condition)
    }

    private init(columns: [Int], wanted: Wanted) {
        self.columns = columns
        self.wanted = wanted
    }

    /// None if all rows are found: a text without letters is in every value.
    static func search(
        _ text: String, _ scope: Scope, in list: ListDescription, groupingColumn: Int?
    ) -> [RowTest] {
        let columns: [Int] =
            switch scope.columns {
            case .columns(let columns): columns
            case .currentGrouping:
                groupingColumn.map { [$0] }
                    ?? list.columns.indices.filter { list.columns[$0].isText }
            }
        let wanted: [Wanted]
        switch scope.match {
        case .contains, .beginsWith:
            let needle = TextFolding.fold(text)
            wanted = needle.isEmpty ? [] : [.text(needle, scope.match, lengths: scope.lengths)]
        case .words:
            wanted = SearchWords(text).words.map {
                .word(
                    TextFolding.fold($0), digits: SearchWords.digits(of: $0),
                    lengths: scope.lengths)
            }
        }
        if wanted.isEmpty { return [] }
        return wanted.map { RowTest(columns: columns, wanted: $0) }
            + scope.conditions.compactMap { RowTest($0, in: list) }
    }

    /// nil for a condition that all rows meet.
    init?(_ condition: Condition, in list: ListDescription) {
        guard
            let column = NameLookup.index(of: condition.column, in: list.columns, by: \.name)
        else { return nil }
        if condition.comparison == .contains || condition.comparison == .beginsWith,
            case .text(let text)? = condition.values.first, TextFolding.fold(text).isEmpty
        {
            return nil
        }
        self.init(columns: [column], wanted: .condition(condition))
    }

    /// Whether a cell passes; nil if it leaves that open.
    package func passes(_ cell: Cell, _ column: ColumnDescription) -> Bool? {
        switch wanted {
        case .text(let needle, let match, let lengths):
            return Self.has(needle, cell, column, match, lengths)
        case .word(let needle, let digits, let lengths):
            if column.isText { return Self.has(needle, cell, column, .contains, lengths) }
            guard let digits else { return false }
            return Self.begins(digits, TextFolding.fold(digits), cell, column)
        case .condition(let condition):
            return Self.passes(cell, column, condition)
        }
    }

    // MARK: - Texts

    /// Whether a value begins with a text as it is shown: dates do so as they are shown, and those
    /// that are stored as texts do so as these, too.
    private static func begins(
        _ text: String, _ needle: [UInt8], _ cell: Cell, _ column: ColumnDescription
    ) -> Bool? {
        if column.type == .date, let shown = StoredMoment(cell, in: column.zone)?.shown {
            if shown.hasPrefix(withoutT(text)) { return true }
            if case .text = cell {} else { return false }
        }
        return has(needle, cell, column, .beginsWith, nil)
    }

    private static func has(
        _ needle: [UInt8], _ cell: Cell, _ column: ColumnDescription, _ match: TextMatch,
        _ lengths: ClosedRange<Int>?
    ) -> Bool? {
        let folded: [UInt8]
        switch OrderKey(cell) {
        case .missing, .blob: return false
        case .number(let number): folded = Array("\(number)".utf8)
        case .real(let real): folded = TextFolding.fold(String(real))
        case .text(_, isCut: true): return nil
        case .text(let text, isCut: false): folded = text
        }
        guard has(needle, folded, match) else { return false }
        return lengths?.contains(length(of: cell, in: column)) ?? true
    }

    private static func has(_ needle: [UInt8], _ text: [UInt8], _ match: TextMatch) -> Bool {
        switch match {
        case .beginsWith: return text.starts(with: needle)
        case .contains, .words:
            guard text.count >= needle.count else { return false }
            return (0...(text.count - needle.count)).contains { start in
                text[start...].starts(with: needle)
            }
        }
    }

    /// Characters as they are written.
    private static func length(of cell: Cell, in column: ColumnDescription) -> Int {
        switch cell {
        case .integer(let number): String(number).count
        case .real(let real): String(real).count
        case .text(let text), .cutText(let text, _): text.count
        case .malformedText(let bytes, _): String(decoding: bytes, as: UTF8.self).count
        case .null, .blob: 0
        }
    }

    /// A day and a time with a space between.
    private static func withoutT(_ text: String) -> String {
        text.replacing("T", with: " ").replacing("t", with: " ")
    }
}

// MARK: - Conditions

extension RowTest {
    /// How a cell stands to a condition's value.
    private enum Relation {
        case below, equal, above
        case unrelated
        /// The cut part of a text would decide.
        case open

        init(_ order: Int?, otherwise: Relation) {
            self = order.map { $0 < 0 ? .below : $0 > 0 ? .above : .equal } ?? otherwise
        }
    }

    private static func passes(
        _ cell: Cell, _ column: ColumnDescription, _ condition: Condition
    ) -> Bool? {
        let values = condition.values
        switch condition.comparison {
        case .isMissing: return cell.isMissing
        case .isPresent: return !cell.isMissing
        case .isOneOf: return stands(cell, [.equal], to: values, column)
        case .isNoneOf: return stands(cell, [.equal], to: values, column).map { !$0 }
        case .below: return stands(cell, [.below], to: values, column)
        case .atMost: return stands(cell, [.below, .equal], to: values, column)
        case .above: return stands(cell, [.above], to: values, column)
        case .atLeast: return stands(cell, [.above, .equal], to: values, column)
        case .between:
            let least = stands(cell, [.above, .equal], to: Array(values.prefix(1)), column)
            let most = stands(cell, [.below, .equal], to: Array(values.suffix(1)), column)
            if least == false || most == false { return false }
            return least == nil || most == nil ? nil : true
        case .doesNotContain:
            guard case .text(let text)? = values.first else { return nil }
            let needle = TextFolding.fold(text)
            return needle.isEmpty ? false : has(needle, cell, column, .contains, nil).map { !$0 }
        case .contains, .beginsWith:
            guard case .text(let text)? = values.first else { return nil }
            let needle = TextFolding.fold(text)
            return condition.comparison == .contains
                ? has(needle, cell, column, .contains, nil) : begins(text, needle, cell, column)
        }
    }

    private static func stands(
        _ cell: Cell, _ accepted: Set<Relation>, to values: [Cell], _ column: ColumnDescription
    ) -> Bool? {
        var isOpen = false
        for value in values {
            let relation = relation(of: cell, to: value, column)
            if accepted.contains(relation) { return true }
            if relation == .open { isOpen = true }
        }
        return isOpen ? nil : false
    }

    private static func relation(
        of cell: Cell, to value: Cell, _ column: ColumnDescription
    ) -> Relation {
        if column.type == .date, case .text(let text) = value, WallTime.span(text) != nil {
            return StoredMoment(cell, in: column.zone).map { relation(of: $0, to: text) }
                ?? .unrelated
        }
        if case .real(let real) = value, real.isNaN { return .unrelated }
        let (left, right) = (OrderKey(cell), OrderKey(valueOf: value))
        switch (left, right) {
        case (.number, .number), (.number, .real), (.real, .number), (.real, .real),
            (.text, .text):
            return Relation(
                OrderKey.compare(left, right, isDescending: false), otherwise: .open)
        case (.text(let text, let isCut), .number), (.text(let text, let isCut), .real):
            guard column.isText else { return .unrelated }
            return isCut ? .open : isEqual(right, writtenAs: text) ? .equal : .unrelated
        case (.number, .text(let text, _)), (.real, .text(let text, _)):
            return column.isText && isEqual(left, writtenAs: text) ? .equal : .unrelated
        case (.missing, _), (.blob, _), (.number, _), (.real, _), (.text, _): return .unrelated
        }
    }

    /// The span is written as dates are shown, with fewer digits: the same digits of a date are
    /// within, before or behind it.
    private static func relation(of moment: StoredMoment, to span: String) -> Relation {
        guard let shown = moment.shown else { return moment.day < 0 ? .below : .above }
        let ends = withoutT(span).split(separator: "/").map(String.init)
        guard let first = ends.first, let last = ends.last else { return .unrelated }
        if shown.prefix(first.count) < first { return .below }
        return shown.prefix(last.count) > last ? .above : .equal
    }

    /// Whether a folded text is how a number, or an equal one, is written.
    private static func isEqual(_ number: OrderKey, writtenAs folded: [UInt8]) -> Bool {
        let text = String(decoding: folded, as: UTF8.self)
        let written: OrderKey
        if let whole = Int64(text), String(whole) == text {
            written = .number(whole)
        } else if let real = Double(text), !real.isNaN, TextFolding.fold(String(real)) == folded {
            written = .real(real)
        } else {
            return false
        }
        return OrderKey.compare(number, written, isDescending: false) == 0
    }
}

extension OrderKey {
    /// A condition's value, which an empty text may be, too.
    fileprivate init(valueOf cell: Cell) {
        switch cell {
        case .integer(let number): self = .number(number)
        case .real(let real): self = .real(real)
        case .text(let text): self = .text(TextFolding.fold(text), isCut: false)
        case .null, .malformedText, .cutText, .blob: self = .missing
        }
    }
}
