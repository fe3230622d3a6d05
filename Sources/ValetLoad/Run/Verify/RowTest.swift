import ValetModel

/// A search or a condition as PROTOCOL.md tells it, apart from how a server finds rows: it shares
/// only the folding of texts with it.
struct RowTest: Sendable {
    /// A row passes if the value of one of these columns does.
    let columns: [Int]
    private let wanted: Wanted

    private enum Wanted: Sendable {
        case text([UInt8], TextMatch, lengths: ClosedRange<Int>?)
        /// A word, and whether numbers and dates may begin with it.
        case word([UInt8], text: String, isOfDigits: Bool, lengths: ClosedRange<Int>?)
        case condition(Condition)

        var hasLetters: Bool {
            switch self {
            case .text(let needle, _, _), .word(let needle, _, _, _): !needle.isEmpty
            case .condition: true
            }
        }
    }

    static func tests(
        of query: Query, in list: ListDescription, groupingColumn: Int?
    ) -> [RowTest] {
        let found = search(query, in: list, groupingColumn: groupingColumn)
        return found
            + (list.conditions + query.conditions).compactMap { RowTest($0, in: list) }
    }

    private static func search(
        _ query: Query, in list: ListDescription, groupingColumn: Int?
    ) -> [RowTest] {
        guard let search = query.search,
            let place = search.scope.map({
                NameLookup.index(of: $0, in: list.scopes, by: \.name)
            }) ?? (list.scopes.isEmpty ? nil : 0)
        else { return [] }
        let scope = list.scopes[place]
        let columns: [Int] =
            switch scope.columns {
            case .columns(let columns): columns
            case .currentGrouping:
                groupingColumn.map { [$0] }
                    ?? list.columns.indices.filter { list.columns[$0].isText }
            }
        let wanted: [Wanted] =
            switch scope.match {
            case .contains, .beginsWith:
                [.text(TextFolding.fold(search.text), scope.match, lengths: scope.lengths)]
            case .words:
                SearchWords(search.text).words.map {
                    .word(
                        TextFolding.fold($0), text: $0, isOfDigits: SearchWords.isOfDigits($0),
                        lengths: scope.lengths)
                }
            }
        let tests = wanted.filter { $0.hasLetters }.map { RowTest(columns: columns, wanted: $0) }
        if tests.isEmpty { return [] }
        return tests + scope.conditions.compactMap { RowTest($0, in: list) }
    }

    private init(columns: [Int], wanted: Wanted) {
        self.columns = columns
        self.wanted = wanted
    }

    private init?(_ condition: Condition, in list: ListDescription) {
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
    func passes(_ cell: Cell, _ column: ColumnDescription) -> Bool? {
        switch wanted {
        case .text(let needle, let match, let lengths):
            return Self.has(needle, cell, column, match, lengths)
        case .word(let needle, let text, let isOfDigits, let lengths):
            if column.isText { return Self.has(needle, cell, column, .contains, lengths) }
            guard isOfDigits else { return false }
            if column.type == .date, let shown = Self.shownDate(cell, column) {
                if shown.hasPrefix(Self.withoutT(text)) { return true }
                if case .text = cell {} else { return false }
            }
            return Self.has(needle, cell, column, .beginsWith, nil)
        case .condition(let condition):
            return Self.passes(cell, column, condition)
        }
    }

    // MARK: - Texts

    private static func has(
        _ needle: [UInt8], _ cell: Cell, _ column: ColumnDescription, _ match: TextMatch,
        _ lengths: ClosedRange<Int>?
    ) -> Bool? {
        let folded: [UInt8]
        switch OrderKey(cell, of: column) {
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
                text[start] == needle[0] && text[start...].starts(with: needle)
            }
        }
    }

    /// Characters as they are written.
    private static func length(of cell: Cell, in column: ColumnDescription) -> Int {
        switch cell {
        case .null, .text(""): column.defaultText.count
        case .integer(let number): String(number).count
        case .real(let real): String(real).count
        case .text(let text), .cutText(let text, _): text.count
        case .malformedText(let bytes, _): String(decoding: bytes, as: UTF8.self).count
        case .blob: 0
        }
    }

    // MARK: - Conditions

    private static func passes(
        _ cell: Cell, _ column: ColumnDescription, _ condition: Condition
    ) -> Bool? {
        switch condition.comparison {
        case .isMissing: return cell.isMissing
        case .isPresent: return !cell.isMissing
        case .isOneOf: return isOne(of: condition.values, cell, column)
        case .isNoneOf: return isOne(of: condition.values, cell, column).map { !$0 }
        case .below, .atMost, .above, .atLeast:
            return condition.values.first.map {
                order(cell, $0, column).map { order in
                    switch condition.comparison {
                    case .below: order < 0
                    case .atMost: order <= 0
                    case .above: order > 0
                    default: order >= 0
                    }
                } ?? false
            }
        case .contains, .beginsWith:
            guard case .text(let text)? = condition.values.first else { return nil }
            let needle = TextFolding.fold(text)
            if column.type == .date, let shown = shownDate(cell, column) {
                if shown.hasPrefix(withoutT(text)) { return true }
                if case .text = cell {} else { return false }
            }
            return has(
                needle, cell, column,
                condition.comparison == .contains ? .contains : .beginsWith, nil)
        }
    }

    private static func isOne(
        of values: [Cell], _ cell: Cell, _ column: ColumnDescription
    ) -> Bool? {
        if case .text(_, isCut: true) = OrderKey(cell, of: column) { return nil }
        return values.contains { order(cell, $0, column) == 0 }
    }

    /// The order of a cell and a condition's value; nil if they have none.
    private static func order(
        _ cell: Cell, _ value: Cell, _ column: ColumnDescription
    ) -> Int? {
        if column.type == .date, case .text(let text) = value, WallTime.span(text) != nil {
            guard let (day, _) = SectionValue.moment(cell, in: column.zone) else { return nil }
            guard let shown = shownDate(cell, column) else { return day < 0 ? -1 : 1 }
            let ends = withoutT(text).split(separator: "/").map(String.init)
            if shown.prefix(ends[0].count) < ends[0] { return -1 }
            let last = ends[ends.count - 1]
            return shown.prefix(last.count) > last ? 1 : 0
        }
        let (left, right) = (OrderKey(cell, of: column), OrderKey(valueOf: value))
        switch (left, right) {
        case (.number, .number), (.number, .real), (.real, .number), (.real, .real):
            if case .real(let real) = value, real.isNaN { return nil }
            return OrderKey.compare(left, right, isDescending: false)
        case (.text, .text): return OrderKey.compare(left, right, isDescending: false)
        default: return nil
        }
    }

    /// A day and a time with a space between.
    private static func withoutT(_ text: String) -> String {
        text.replacing("T", with: " ").replacing("t", with: " ")
    }

    /// `2024-03-09 14:02:30`; nil for what is no date, or outside the years that have four digits.
    private static func shownDate(_ cell: Cell, _ column: ColumnDescription) -> String? {
        guard let (day, second) = SectionValue.moment(cell, in: column.zone),
            -719_528..<2_932_897 ~= day
        else { return nil }
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return CivilTime.isoDay(day)
            + " \(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
    }
}

extension OrderKey {
    /// A condition's value, for which nothing stands in when it is empty.
    fileprivate init(valueOf cell: Cell) {
        switch cell {
        case .integer(let number): self = .number(number)
        case .real(let real): self = .real(real)
        case .text(let text): self = .text(TextFolding.fold(text), isCut: false)
        case .null, .malformedText, .cutText, .blob: self = .missing
        }
    }
}
