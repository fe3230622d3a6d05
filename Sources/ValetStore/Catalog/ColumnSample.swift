import ValetModel

/// What inference has seen of one column: kinds of values, how many different ones, and dates.
struct ColumnSample {
    private(set) var rows = 0
    private(set) var integers = 0
    private(set) var reals = 0
    private(set) var texts = 0
    private(set) var blobs = 0
    /// First and last day, while every value was a date; nil before the first.
    private(set) var days: ClosedRange<Int64>?
    private(set) var isAllDates = true
    private(set) var isAllBooleans = true

    /// Folded spellings and numbers; empty once there were too many.
    private var distinct: Set<Value> = []
    /// Spellings seen, so that folding happens once for each.
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
            add(time: Self.time(seconds: number))
            insert(.integer(number))
        case .real(let number):
            reals += 1
            isAllBooleans = false
            add(time: Int64(exactly: number.rounded(.down)).flatMap(Self.time))
            // 2 and 2.0 are one section.
            insert(Int64(exactly: number).map(Value.integer) ?? .real(number.bitPattern))
        case .text(let bytes): add(text: bytes)
        case .blob:
            blobs += 1
            isAllBooleans = false
            isAllDates = false
            hasManyValues = true
        }
    }

    private mutating func add(text bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return insert(.missing) }
        texts += 1
        isAllBooleans = false
        if isAllDates { add(time: CivilTime(iso8601: bytes)) }
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
        guard let day = time?.days else {
            isAllDates = false
            return
        }
        days = days.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
    }

    private mutating func insert(_ value: Value) {
        if hasManyValues { return }
        distinct.insert(value)
        // Many spellings of few values would only cost memory.
        if distinct.count > Limits.distinctValuesSuggested
            || spellings.count > Limits.rowsSampled / 2
        {
            hasManyValues = true
            distinct = []
            spellings = []
        }
    }
}

// MARK: What it means

extension ColumnSample {
    private var numbers: Int { integers + reals }
    private var values: Int { numbers + texts + blobs }

    /// Few different values, and clearly fewer than rows: worth being sections.
    var suggestsSections: Bool {
        !hasManyValues && distinct.count > 1 && distinct.count * 2 <= rows
    }

    var spansMoreThanAYear: Bool {
        days.map { $0.upperBound - $0.lowerBound > 366 } ?? false
    }

    /// How the column's values are read. A declared type decides where SQLite holds values to it;
    /// otherwise what was seen does.
    func type(declaredAs declaredType: String) -> ColumnType {
        let declared = declaredType.uppercased()
        let isBoolean = declared.hasPrefix("BOOL")
        if isBoolean, isAllBooleans { return .boolean }
        // Covers DATETIME, and TIMESTAMP WITH TIME ZONE.
        let isDate = declared.hasPrefix("DATE") || declared.hasPrefix("TIMESTAMP")
        if isDate, isAllDates { return .date }
        switch Affinity(declaredType: declaredType) {
        case .integer: return .integer
        case .text: return .text
        case .real: return .real
        // Also every type that SQLite does not know, such as STRING or JSON: texts stay texts in
        // it.
        case .numeric: return numbers == 0 && texts > 0 ? .text : numberType
        case .none: return typeSeen(orIfNothing: declared.isEmpty ? .text : .blob)
        }
    }

    private var numberType: ColumnType {
        reals == 0 && integers > 0 ? .integer : .real
    }

    private func typeSeen(orIfNothing type: ColumnType) -> ColumnType {
        if values == 0 { return type }
        if blobs > 0 { return .blob }
        return texts >= numbers ? .text : numberType
    }
}
