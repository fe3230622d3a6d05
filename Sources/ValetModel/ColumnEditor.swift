/// How a form changes a column.
///
/// What an editor offers is no rule: a value of another program's shows, and can be kept. What the
/// server refuses stands in `ColumnRules`.
public indirect enum ColumnEditor: Hashable, Sendable {
    /// What fits the type: a line of text, yes or no, or the choices of the column's rules.
    case automatic
    case text
    case number
    /// Yes or no: 1 or 0, and in a column of texts the words themselves.
    case toggle
    case choices([Cell])
    case range(NumberRange)
    /// A row of another list, or of the same: its value in a column; nil takes its row id.
    case list(name: String, valueColumn: String?)
    /// The choices of several columns side by side.
    case wheels(columns: [Int])
    case moment(Moment)
    /// A column of the row says which editor; a kind that isn't here has the automatic one.
    case perRow(column: Int, kinds: [Kind])

    public struct Kind: Hashable, Sendable {
        public var name: String
        public var editor: ColumnEditor

        public init(name: String, editor: ColumnEditor) {
            self.name = name
            self.editor = editor
        }
    }

    /// Columns that the editor names.
    package var namedColumns: [Int] {
        switch self {
        case .automatic, .text, .number, .toggle, .choices, .range, .list, .moment: []
        case .wheels(let columns): columns
        case .perRow(let column, let kinds): [column] + kinds.flatMap(\.editor.namedColumns)
        }
    }

    /// The editor of a row whose kind this is.
    package func editor(ofKind cell: Cell?) -> ColumnEditor {
        guard case .perRow(_, let kinds) = self else { return self }
        guard case .text(let name) = cell else { return .automatic }
        return kinds.first { $0.name == name }?.editor ?? .automatic
    }
}

/// Whole numbers to pick from, such as the years from 1908 to the next one.
public struct NumberRange: Hashable, Sendable {
    public enum Bound: Hashable, Sendable {
        case number(Int64)
        case thisYear
        case nextYear
    }

    public var first: Bound
    public var last: Bound
    public var isDescending: Bool

    public init(first: Bound, last: Bound, isDescending: Bool = false) {
        self.first = first
        self.last = last
        self.isDescending = isDescending
    }

    /// The numbers in the order in which they are offered; at most `Limits.numbersPerRange`.
    package func numbers(inYear year: Int64) -> [Int64] {
        let (low, high) = (first.number(inYear: year), last.number(inYear: year))
        guard low <= high else { return [] }
        let distance = high.subtractingReportingOverflow(low)
        let most = Int64(Limits.numbersPerRange - 1)
        let isTooLong = distance.overflow || distance.partialValue > most
        guard isDescending else {
            return Array(low...(isTooLong ? low + most : high))
        }
        return ((isTooLong ? high - most : low)...high).reversed()
    }

    /// Where the choice begins if there is no value: this year, if it is among them.
    package func start(inYear year: Int64) -> Int64? {
        let isOfYears = [first, last].contains { $0 == .thisYear || $0 == .nextYear }
        return isOfYears ? year : nil
    }
}

extension NumberRange.Bound {
    fileprivate func number(inYear year: Int64) -> Int64 {
        switch self {
        case .number(let number): number
        case .thisYear: year
        case .nextYear: year + 1
        }
    }
}
