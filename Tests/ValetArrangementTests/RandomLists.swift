import ValetArrangement
import ValetModel

/// Random columns of every kind, rows, queries and changes, all from one seed.
enum RandomLists {
    enum Kind: CaseIterable {
        case words, distinctTexts, mixedTexts, smallNumbers, largeNumbers, decimals, doubles
        case numbersAndTexts, realsAndTexts
        case everything, dates, moments, allEqual, allMissing

        var types: [ColumnType] {
            switch self {
            case .words, .distinctTexts: [.text, .text, .date]
            case .mixedTexts: [.text]
            case .smallNumbers: [.integer, .integer, .text, .boolean]
            case .largeNumbers: [.integer, .date]
            case .decimals, .doubles: [.real, .real, .text]
            case .numbersAndTexts, .realsAndTexts: [.integer, .real]
            case .everything: [.blob, .text, .integer]
            case .dates, .moments: [.date, .date, .text]
            case .allEqual, .allMissing: [.text, .integer]
            }
        }
    }

    static let words = [
        "Citroën", "citroen", "CITROEN", "Citroen", "Straße", "STRASSE", "strasse", "Éclair",
        "eclair", "e\u{301}clair", "zebra", "Ωmega", "ωmega", "9lives", "#tag", "unknown",
        "–", "日本", "\u{301}", "a", "A", "Ä", "ab", "aa", "~", "2", "2.0", "Audi", "BMW",
        "Buick", "buick ", " Buick", "x\u{0}y", "длинный", "Длинный",
    ]
    private static let dateTexts = [
        "2009-01-01", "2009-01-01 13:45:00", "2009-01-01T13:45", "2009-12-31 23:59:59.999Z",
        "1969-12-31 23:00", "0000-02-29", "2100-02-29", "2009-02-31", "2009-13-01", "2009-1-1",
        "2009-01-01 24:00", "2009-01-01 1", "yesterday", "9999-12-31", "1600-03-01t00:59",
        "2024-02-30", "2024-02-30 10:00", "2009-01-01 12:30:99", "2009-01-01 12:30 garbage",
        "2009-01-01 23:30:00-05:00", "2009-01-01T23:30:00.5+0530", "2009-01-01 12:00+24:00",
        "2009-01-01 23:59:60Z", "2009-01-01 12:00:00.", "2009-01-01\u{301}", "2009-04-31T00:00",
    ]
    private static let ends: [Int64] = [
        .min, .min + 1, .max, .max - 1, 0, 1, -1, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1,
        1 << 31, 1 << 32, (1 << 32) - 1,
    ]
    private static let strangeReals: [Double] = [
        0, -0.0, 0x1p53, 0x1p63, -0x1p63, .infinity, -.infinity, 2, 2.5, 1e-300, 1e300, 0.1, 1 / 3,
        .leastNonzeroMagnitude,
    ]

    static func cell(_ kind: Kind, _ random: inout SeededNumbers) -> Cell {
        if kind != .allEqual, Int.random(in: 0..<12, using: &random) == 0 {
            return Bool.random(using: &random) ? .null : .text("")
        }
        switch kind {
        case .words: return .text(words.randomElement(using: &random)!)
        case .distinctTexts:
            return .text("Owner \(UInt64.random(in: .min ... .max, using: &random))")
        case .mixedTexts:
            switch Int.random(in: 0..<5, using: &random) {
            case 0: return .integer(Int64.random(in: 0..<4, using: &random))
            case 1: return .malformedText(bytes: [0x41, 0xFF, 0xC3], byteCount: 3)
            default: return .text(words.randomElement(using: &random)!)
            }
        case .smallNumbers: return .integer(Int64.random(in: -3..<40, using: &random))
        case .largeNumbers:
            return .integer(
                Bool.random(using: &random)
                    ? ends.randomElement(using: &random)!
                    : Int64.random(in: .min ... .max, using: &random))
        case .decimals:
            return .real(Double(Int64.random(in: -900..<900, using: &random)) / 10)
        case .doubles:
            return .real(
                Bool.random(using: &random)
                    ? strangeReals.randomElement(using: &random)!
                    : Double.random(in: -1e6..<1e6, using: &random))
        case .numbersAndTexts:
            switch Int.random(in: 0..<40, using: &random) {
            case 0: return .text(words.randomElement(using: &random)!)
            case 1: return .blob(bytes: [], byteCount: Int.random(in: 0..<3, using: &random))
            default: return .integer(Int64.random(in: -30..<300, using: &random))
            }
        case .realsAndTexts:
            switch Int.random(in: 0..<8, using: &random) {
            case 0: return .text(words.randomElement(using: &random)!)
            case 1: return .integer(Int64.random(in: -3..<4, using: &random))
            case 2: return .real(strangeReals.randomElement(using: &random)!)
            default: return .real(Double(Int64.random(in: -90..<90, using: &random)) / 10)
            }
        case .everything: return anyCell(&random)
        case .dates: return .text(dateTexts.randomElement(using: &random)!)
        case .moments:
            let seconds = Int64.random(in: -5_000_000_000..<5_000_000_000, using: &random)
            return Bool.random(using: &random) ? .integer(seconds) : .real(Double(seconds) + 0.5)
        case .allEqual: return .text("Same")
        case .allMissing: return .null
        }
    }

    private static func anyCell(_ random: inout SeededNumbers) -> Cell {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return .blob(bytes: [], byteCount: Int.random(in: 0..<3, using: &random))
        case 1: return .malformedText(bytes: [0xC3, 0x28], byteCount: 2)
        case 2: return .real(Double(Int.random(in: 0..<5, using: &random)))
        case 3: return .integer(Int64.random(in: 0..<5, using: &random))
        case 4: return .real(strangeReals.randomElement(using: &random)!)
        case 5: return .integer(ends.randomElement(using: &random)!)
        default: return .text(words.randomElement(using: &random)!)
        }
    }

    /// Columns, each of a kind that mostly holds; a chunk's kind may change on the way.
    struct Columns {
        var kinds: [Kind]
        var list: ListDescription

        init(_ random: inout SeededNumbers) {
            kinds = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                Kind.allCases.randomElement(using: &random)!
            }
            var columns: [ColumnDescription] = []
            for (number, kind) in kinds.enumerated() {
                let type = kind.types.randomElement(using: &random)!
                columns.append(ColumnDescription(name: "column \(number)", type: type))
            }
            list = ListDescription(columns: columns, timeZone: zones.randomElement(using: &random)!)
        }

        func cells(_ random: inout SeededNumbers) -> [Cell] {
            kinds.map { RandomLists.cell($0, &random) }
        }
    }

    private static let zones: [String?] = [
        nil, nil, "Europe/Zurich", "America/St_Johns", "Pacific/Apia",
    ]

    static func list(_ columns: Columns, rows: Int, _ random: inout SeededNumbers) -> ModelList {
        var list = ModelList(columns.list)
        while list.rows.count < rows {
            let id =
                switch Int.random(in: 0..<20, using: &random) {
                case 0: Int64.random(in: .min ... .max, using: &random)
                default: Int64.random(in: -10...Int64(rows * 3), using: &random)
                }
            list.rows[id] = columns.cells(&random)
        }
        return list
    }

    // MARK: - Queries

    /// All rows, or those of a search, of conditions, or of both.
    static func query(_ columns: Columns, _ random: inout SeededNumbers) throws -> ListQuery {
        let search = Bool.random(using: &random) ? search(columns, &random) : nil
        return try ListQuery(
            of: columns.list, by: grouping(columns, &random), search: search,
            conditions: (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
                condition(columns, &random)
            })
    }

    static func grouping(_ columns: Columns, _ random: inout SeededNumbers) -> Grouping {
        let expressions: [SectionExpression] = [
            .none, .wholeValue, .wholeValue, .firstLetter, .firstLetter, .year, .month, .day,
            .hourOfDay, .ranges(bounds: []), .ranges(bounds: [0, 10, 1_000]),
            .ranges(bounds: [2.5]),
        ]
        let expression = expressions.randomElement(using: &random)!
        let keys = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            SortKey(
                column: columns.kinds.indices.randomElement(using: &random)!,
                isDescending: Bool.random(using: &random))
        }
        return Grouping(
            name: "grouping",
            column: expression == .none ? nil : columns.kinds.indices.randomElement(using: &random),
            expression: expression, isDescending: Bool.random(using: &random), rowOrder: keys,
            titleTemplate: [nil, nil, "Names starting with '{}'", "{}", "no place", "é{}\u{301}"]
                .randomElement(using: &random)!,
            indexTitles: IndexTitles.allCases.randomElement(using: &random)!,
            usesTwelveHours: Bool.random(using: &random))
    }

    private static func search(
        _ columns: Columns, _ random: inout SeededNumbers
    ) -> ListQuery.Search {
        let needles = [
            "c", "E", "é", "ss", "ß", "citroen", "2", "0", "-", ".5", "unknown", "zz", "ω", "2 0",
            "2009-01", "-1 \"e",
        ]
        return ListQuery.Search(
            needles.randomElement(using: &random)!,
            columns: (0..<Int.random(in: 1...2, using: &random)).map { _ in
                columns.kinds.indices.randomElement(using: &random)!
            },
            match: TextMatch.allCases.randomElement(using: &random)!,
            lengths: [nil, nil, 0...5, 6...40].randomElement(using: &random)!,
            isFlat: Int.random(in: 0..<3, using: &random) == 0)
    }

    /// nil for one that its column can't have.
    static func condition(_ columns: Columns, _ random: inout SeededNumbers) -> Condition? {
        let place = columns.kinds.indices.randomElement(using: &random)!
        let column = columns.list.columns[place]
        let comparison = Comparison.allCases.randomElement(using: &random)!
        let counts = comparison.valueCounts
        let count = min(
            counts.upperBound, max(counts.lowerBound, [1, 2, 3, 40].randomElement(using: &random)!))
        let condition = Condition(
            column: column.name, comparison,
            (0..<count).map { _ in value(columns.kinds[place], column.type, &random) })
        return condition.refusal(in: column) == nil ? condition : nil
    }

    private static func value(
        _ kind: Kind, _ type: ColumnType, _ random: inout SeededNumbers
    ) -> Cell {
        let spans = [
            "2009", "2009-01", "2009-01-01", "1969-12-31", "2009-01-01 13", "2009-01-01T12:30",
            "2009-12-31 23:59:59", "1969/2009-01-01", "2009-01-01/2009-12-31 10", "0000", "9999",
        ]
        let value: Cell =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .integer(ends.randomElement(using: &random)!)
            case 1: .real(strangeReals.randomElement(using: &random)!)
            case 2 where type == .date: .text(spans.randomElement(using: &random)!)
            default: cell(kind, &random)
            }
        switch value {
        case .null, .blob, .malformedText, .cutText: return .integer(2)
        case .integer, .real, .text: return value
        }
    }

    /// A change that the writer could make now. Ids of deleted rows come back.
    static func change(
        _ list: ModelList, _ columns: Columns, _ random: inout SeededNumbers
    ) -> RowChange {
        let choice = Int.random(in: 0..<10, using: &random)
        guard choice >= 4, let id = list.rows.keys.sorted().randomElement(using: &random) else {
            var id = Int64.random(in: -50...200, using: &random)
            if Bool.random(using: &random) { id = (list.rows.keys.max() ?? 0) &+ 1 }
            while list.rows[id] != nil { id &+= 1 }
            var cells = Dictionary(
                uniqueKeysWithValues: columns.cells(&random).enumerated().map { ($0, $1) })
            if choice == 0 { cells = cells.filter { _ in Bool.random(using: &random) } }
            return .insert(rowID: id, cells: cells)
        }
        if choice < 7 { return .delete(rowID: id) }
        let column = columns.kinds.indices.randomElement(using: &random)!
        // Now and then a value of another kind: SQLite lets any cell hold anything.
        let kind =
            Int.random(in: 0..<8, using: &random) == 0
            ? Kind.allCases.randomElement(using: &random)! : columns.kinds[column]
        return .update(rowID: id, cells: [column: cell(kind, &random)])
    }
}
