import ValetModel

/// What inference has learned of one column: its kinds of values, how many are distinct, and its
/// range of dates.
struct ColumnSample {
    private(set) var rows = 0
    private(set) var integers = 0
    private(set) var reals = 0
    private(set) var texts = 0
    private(set) var blobs = 0
    /// Values that are dates.
    private var dates = 0
    /// The first and last day of these; nil before the first.
    private(set) var days: ClosedRange<Int64>?
    private(set) var isAllBooleans = true
    /// Whether there are numbers that are hard to read without marks between thousands.
    private var hasLongNumbers = false

    /// Folded spellings and numbers; emptied once there are too many.
    private var distinct: Set<Value> = []
    /// Spellings seen, so that each is folded only once.
    private var spellings: Set<[UInt8]> = []
    private var hasManyValues = false

    private enum Value: Hashable {
        case missing
        case integer(Int64)
        case real(UInt64)
        case text([UInt8])
    }

    mutating func add(_ value: BorrowedValue) {
        rows += 1
        switch value {
        case .null: insert(.missing)
        case .integer(let number):
            integers += 1
            isAllBooleans = isAllBooleans && (0...1).contains(number)
            hasLongNumbers = hasLongNumbers || number.magnitude >= 10_000
            add(time: Self.time(seconds: number))
            insert(.integer(number))
        case .real(let number):
            reals += 1
            isAllBooleans = false
            add(time: Int64(exactly: number.rounded(.down)).flatMap(Self.time))
            // 2 and 2.0 belong to the same section.
            insert(Int64(exactly: number).map(Value.integer) ?? .real(number.bitPattern))
        case .text(let bytes): add(text: bytes)
        case .blob:
            blobs += 1
            isAllBooleans = false
            hasManyValues = true
        }
    }

    private mutating func add(text bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return insert(.missing) }
        texts += 1
        isAllBooleans = false
        add(time: CivilTime(iso8601: bytes))
        if hasManyValues { return }
        let spelling = Array(bytes.prefix(Limits.bytesPerKeyText))
        if spellings.insert(spelling).inserted {
            insert(.text(TextFolding.fold(String(decoding: spelling, as: UTF8.self))))
        }
    }

    private static func time(seconds: Int64) -> CivilTime? {
        guard CivilTime.usualSeconds.contains(seconds) else { return nil }
        return CivilTime(secondsSince1970: seconds)
    }

    private mutating func add(time: CivilTime?) {
        guard let day = time?.days else { return }
        dates += 1
        days = days.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
    }

    private mutating func insert(_ value: Value) {
        if hasManyValues { return }
        distinct.insert(value)
        // Past the limit, further spellings would only cost memory.
        if distinct.count > Limits.distinctValuesSuggested
            || spellings.count > Limits.rowsSampled / 2
        {
            hasManyValues = true
            distinct = []
            spellings = []
        }
    }

    // MARK: What it means

    private var numbers: Int { integers + reals }
    private var values: Int { numbers + texts + blobs }

    /// Few distinct values, and clearly fewer than rows: useful as sections.
    var suggestsSections: Bool {
        !hasManyValues && distinct.count > 1 && distinct.count * 2 <= rows
    }

    /// Numbers that count something, and are long enough to be read in groups of digits.
    var suggestsThousands: Bool { hasLongNumbers && reals == 0 && texts == 0 && blobs == 0 }

    var spansMoreThanAYear: Bool { days.map { $0.upperBound - $0.lowerBound > 366 } ?? false }

    /// The column's type: the declared one where SQLite enforces it, otherwise the one of the
    /// sampled values. What is declared as a date is one if most values are: a slip among them must
    /// not take the dates' conditions away from the rest.
    func type(declaredAs declaredType: String) -> ColumnType {
        let declared = declaredType.uppercased()
        let isBoolean = declared.hasPrefix("BOOL")
        if isBoolean, isAllBooleans { return .boolean }
        // Also covers DATETIME and TIMESTAMP WITH TIME ZONE.
        let isDate = declared.hasPrefix("DATE") || declared.hasPrefix("TIMESTAMP")
        if isDate, values == 0 || dates * 2 > values { return .date }
        switch Affinity(declaredType: declaredType) {
        case .integer: return .integer
        case .text: return .text
        case .real: return .real
        // Also covers types that SQLite does not know, such as STRING or JSON, where text stays
        // text.
        case .numeric: return numbers == 0 && texts > 0 ? .text : numberType
        case .none: return typeSeen(orIfNothing: declared.isEmpty ? .text : .blob)
        }
    }

    private var numberType: ColumnType { reals == 0 && integers > 0 ? .integer : .real }

    private func typeSeen(orIfNothing type: ColumnType) -> ColumnType {
        if values == 0 { return type }
        if blobs > 0 { return .blob }
        return texts >= numbers ? .text : numberType
    }
}
