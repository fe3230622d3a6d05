import ValetModel

/// Queries about a list whose rows are partly known: conditions and words come from them, or are
/// beside what they have.
struct RandomQueries {
    private var numbers: SeededNumbers
    private let list: ListDescription
    private let rows: [[Cell]]
    private var last: Query?

    init(seed: UInt64, list: ListDescription, rows: [[Cell]]) {
        numbers = SeededNumbers(seed: seed, index: 1)
        self.list = list
        self.rows = rows
    }

    /// A new query, or the last one with another condition, sort or end of its search.
    mutating func next() -> Query {
        var query = Query()
        if let last, numbers.below(3) == 0 {
            query = last
            refine(&query)
        } else {
            chooseGrouping(&query)
            query.sort = (0..<numbers.below(4)).map { _ in sort() }
            query.conditions = (0..<numbers.below(4)).compactMap { _ in condition() }
            if numbers.below(2) == 0, !list.scopes.isEmpty { query.search = search() }
        }
        last = query
        return query
    }

    private mutating func refine(_ query: inout Query) {
        switch numbers.below(5) {
        case 0: chooseGrouping(&query)
        case 1: query.sort = [sort()]
        case 2 where !query.conditions.isEmpty: query.conditions.removeLast()
        case 3 where query.search != nil:
            query.search?.text += ["", " ", "a", "1", " \"", "-"][numbers.below(6)]
        default:
            if query.conditions.count < 6, let condition = condition() {
                query.conditions.append(condition)
            }
        }
    }

    private mutating func chooseGrouping(_ query: inout Query) {
        (query.grouping, query.expression) = (nil, nil)
        switch numbers.below(8) {
        case 0: break
        case 1..<4: query.grouping = list.groupings[numbers.below(list.groupings.count)].name
        case 4: query.grouping = column().name
        default:
            query.grouping = column().name
            query.expression = expression()
        }
    }

    private mutating func expression() -> SectionExpression {
        switch numbers.below(8) {
        case 0: return .none
        case 1: return .wholeValue
        case 2: return .firstLetter
        case 3: return .year
        case 4: return .month
        case 5: return .day
        case 6: return .hourOfDay
        default:
            let bounds = (0..<numbers.below(5)).map { _ in
                Double(numbers.below(4_000) - 1_000) / [1, 2, 8][numbers.below(3)]
            }
            return .ranges(bounds: Set(bounds).sorted())
        }
    }

    private mutating func column() -> ColumnDescription {
        list.columns[numbers.below(list.columns.count)]
    }

    private mutating func sort() -> Query.Sort {
        Query.Sort(column: column().name, isDescending: numbers.below(2) == 0)
    }

    // MARK: - Conditions

    private mutating func condition() -> Condition? {
        let place = numbers.below(list.columns.count)
        let column = list.columns[place]
        let comparison = Comparison.allCases[numbers.below(Comparison.allCases.count)]
        let values: [Cell]
        switch comparison {
        case .isMissing, .isPresent: values = []
        case .isOneOf, .isNoneOf:
            values = (0...numbers.below(4)).map { _ in value(like: place) }
        case .below, .atMost, .above, .atLeast:
            if column.type == .boolean { return nil }
            values = [value(like: place)]
        case .between:
            if column.type == .boolean { return nil }
            values = [value(like: place), value(like: place)]
        case .contains, .beginsWith, .doesNotContain:
            if column.type == .boolean || comparison != .beginsWith && column.type == .date {
                return nil
            }
            values = [.text(part(of: place))]
        }
        return Condition(column: column.name, comparison, values)
    }

    private mutating func cell(of column: Int) -> Cell {
        rows.isEmpty ? .null : rows[numbers.below(rows.count)][column]
    }

    /// A value of the column, at times changed a little or to another kind.
    private mutating func value(like column: Int) -> Cell {
        if list.columns[column].type == .date, numbers.below(2) == 0 { return .text(span(column)) }
        switch cell(of: column) {
        case .null, .blob: return [.integer(0), .real(0.5), .text("")][numbers.below(3)]
        case .integer(let number):
            switch numbers.below(8) {
            case 0: return .integer(number &+ 1)
            case 1: return .integer(number &- 1)
            case 2: return .real(Double(number))
            case 3: return .real(Double(number).nextUp)
            case 4: return .text("\(number)")
            default: return .integer(number)
            }
        case .real(let real):
            switch numbers.below(6) {
            case 0: return .real(real.nextUp)
            case 1: return .real(real.nextDown)
            case 2: return .integer(Int64(exactly: real.rounded()) ?? .max)
            default: return .real(real)
            }
        case .text(let text), .cutText(let text, _):
            switch numbers.below(6) {
            case 0: return .text(text.uppercased())
            case 1: return .text(text + "a")
            case 2: return .text(String(text.dropLast()))
            case 3: return .text(text.decomposed)
            default: return .text(text)
            }
        case .malformedText(let bytes, _):
            return .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// A time that a row of the column may be in.
    private mutating func span(_ column: Int) -> String {
        var ends = [moment(column)]
        if numbers.below(3) == 0 { ends.append(moment(column)) }
        let lengths = [4, 7, 10, 13, 16, 19]
        return ends.sorted().map {
            let length = lengths[numbers.below(lengths.count)]
            return String(
                (numbers.below(2) == 0 ? $0 : $0.replacing(" ", with: "T")).prefix(length))
        }.joined(separator: "/")
    }

    /// What a date of the column is about, as `2024-03-09 14:02:30`.
    private mutating func moment(_ column: Int) -> String {
        let second: Int64? =
            switch cell(of: column) {
            case .integer(let number): number
            case .text(let text):
                Array(text.utf8).withUnsafeBytes { CivilTime(iso8601: $0)?.days }
                    .map { $0 * 86_400 }
            default: nil
            }
        guard let second, CivilTime.usualSeconds.contains(second) else {
            return "2024-03-31 01:59:59"
        }
        let time = CivilTime(secondsSince1970: second)
        return time.isoText + ":30"
    }

    // MARK: - Texts

    /// How a value of the column begins, or a part of it.
    private mutating func part(of column: Int) -> String {
        let text: String
        if list.columns[column].type == .date, numbers.below(2) == 0 {
            text = moment(column)
        } else {
            switch cell(of: column) {
            case .null, .blob: text = "–"
            case .integer(let number): text = "\(number)"
            case .real(let real): text = "\(real)"
            case .text(let whole), .cutText(let whole, _): text = whole
            case .malformedText(let bytes, _): text = String(decoding: bytes, as: UTF8.self)
            }
        }
        let scalars = Array(text.unicodeScalars)
        let first = numbers.below(3) == 0 ? numbers.below(max(1, scalars.count)) : 0
        let count = 1 + numbers.below(max(1, scalars.count))
        var part = String.UnicodeScalarView()
        part.append(contentsOf: scalars.dropFirst(first).prefix(count))
        return numbers.below(4) == 0 ? String(part).uppercased() : String(part)
    }

    private mutating func search() -> Query.Search {
        let scope = list.scopes[numbers.below(list.scopes.count)]
        let words = (0...numbers.below(3)).map { _ in
            let word = part(of: numbers.below(list.columns.count))
            return numbers.below(4) == 0 ? "\"\(word)\"" : word
        }
        return Query.Search(
            text: words.joined(separator: [" ", "  ", "\u{3000}"][numbers.below(3)]),
            scope: numbers.below(4) == 0 ? nil : scope.name)
    }
}

extension String {
    /// With the accents of Latin letters as scalars of their own.
    fileprivate var decomposed: String {
        replacing("é", with: "e\u{301}").replacing("ë", with: "e\u{308}")
    }
}
