import ValetModel
import ValetStore

/// Conditions and searches.
extension QueryOracle {
    func test(_ condition: Condition) throws -> SQLPiece {
        let column = column(condition.column)
        let values = condition.values
        switch condition.comparison {
        case .isMissing: return "m\(column)"
        case .isPresent: return "NOT m\(column)"
        case .isOneOf, .isNoneOf:
            let equal = try values.map { try compare(column, .isOneOf, $0) }
            let isOne: SQLPiece = "(\(SQLPiece.joined(equal, by: " OR ")))"
            return condition.comparison == .isOneOf ? isOne : "NOT \(isOne)"
        case .below, .atMost, .above, .atLeast:
            return try compare(column, condition.comparison, values[0])
        case .between:
            let least = try compare(column, .atLeast, values[0])
            return "(\(least) AND \(try compare(column, .atMost, values[1])))"
        case .doesNotContain:
            guard case .text(let text) = values[0] else { return "0" }
            let needle = TextFolding.fold(text)
            return needle.isEmpty ? "0" : "NOT \(contains(column, needle))"
        case .contains, .beginsWith:
            guard case .text(let text) = values[0] else { return "0" }
            let needle = TextFolding.fold(text)
            if needle.isEmpty { return "1" }
            if condition.comparison == .contains { return contains(column, needle) }
            return beginning(column, text)
        }
    }

    private func compare(_ column: Int, _ comparison: Comparison, _ cell: Cell) throws -> SQLPiece {
        switch cell {
        case .integer(let number):
            let isMet = Self.compare(column, kind: 0, "n", comparison, .integer(number))
            return written(column, comparison, Double(number), number, or: isMet)
        case .real(let real):
            let isMet = Self.compare(column, kind: 0, "n", comparison, .real(real))
            return written(column, comparison, real, Int64(exactly: real), or: isMet)
        case .text(let text):
            guard list.columns[column].type == .date, let span = try span(text) else {
                let isMet = Self.compare(
                    column, kind: 1, "f", comparison, .bytes(TextFolding.fold(text)))
                guard Self.takesEqual(comparison), list.columns[column].type == .text,
                    let number = Self.number(writtenAs: text)
                else { return isMet }
                return "(\(isMet) OR \(Self.compare(column, kind: 0, "n", .isOneOf, number)))"
            }
            let (first, end) = (span.lowerBound, span.upperBound)
            let isMet =
                switch comparison {
                case .below: "w\(column) < \(first)"
                case .atMost: "w\(column) < \(end)"
                case .above: "w\(column) >= \(end)"
                case .atLeast: "w\(column) >= \(first)"
                default: "w\(column) >= \(first) AND w\(column) < \(end)"
                }
            return "(w\(column) NOT NULL AND \(isMet))"
        default: return "0"
        }
    }

    /// In a column of texts, texts that are how an equal number is written are met, too.
    private func written(
        _ column: Int, _ comparison: Comparison, _ real: Double, _ whole: Int64?,
        or isMet: SQLPiece
    ) -> SQLPiece {
        guard Self.takesEqual(comparison), list.columns[column].type == .text else { return isMet }
        var texts = whole.map { ["\($0)"] } ?? []
        if whole.map({ Int64(exactly: real) == $0 }) ?? true { texts.append("\(real)") }
        if real == 0 { texts += ["0.0", "-0.0"] }
        let equal = texts.map {
            Self.compare(column, kind: 1, "f", .isOneOf, .bytes(TextFolding.fold($0)))
        }
        return "(\(isMet) OR \(SQLPiece.joined(equal, by: " OR ")))"
    }

    private static func takesEqual(_ comparison: Comparison) -> Bool {
        [.isOneOf, .atMost, .atLeast].contains(comparison)
    }

    private static func number(writtenAs text: String) -> SQLPiece.Value? {
        let text = text.lowercased()
        if let number = Int64(text), "\(number)" == text { return .integer(number) }
        guard let real = Double(text), "\(real)" == text else { return nil }
        return .real(real)
    }

    private static func compare(
        _ column: Int, kind: Int, _ name: String, _ comparison: Comparison, _ value: SQLPiece.Value
    ) -> SQLPiece {
        let sign =
            switch comparison {
            case .below: "<"
            case .atMost: "<="
            case .above: ">"
            case .atLeast: ">="
            default: "="
            }
        return "(k\(column) = \(kind) AND \(name)\(column) \(sign) \(value: value))"
    }

    private func contains(_ column: Int, _ needle: [UInt8]) -> SQLPiece {
        "(o\(column) NOT NULL AND instr(o\(column), \(value: .bytes(needle))) > 0)"
    }

    private func begins(_ column: Int, _ needle: [UInt8]) -> SQLPiece {
        """
        (o\(column) NOT NULL
        AND substr(o\(column), 1, \(needle.count)) = \(value: .bytes(needle)))
        """
    }

    /// Whether the value begins so as it is shown: dates do so as they are shown, and as texts.
    private func beginning(_ column: Int, _ text: String) -> SQLPiece {
        let begins = begins(column, TextFolding.fold(text))
        guard list.columns[column].type == .date else { return begins }
        let shown = Self.withoutT(text)
        return """
            (t\(column) NOT NULL
            AND substr(t\(column), 1, \(shown.unicodeScalars.count)) = \(value: .text(shown))
            OR (k\(column) = 1 OR t\(column) IS NULL) AND \(begins))
            """
    }
}

// MARK: - Searches

extension QueryOracle {
    func search(
        _ search: Query.Search?, _ grouping: Grouping
    ) throws -> (tests: [SQLPiece], isFlat: Bool) {
        guard let search,
            let scope = search.scope.map({ name in list.scopes.first { $0.name == name }! })
                ?? list.scopes.first
        else { return ([], false) }
        let texts = list.columns.indices.filter { list.columns[$0].isText }
        let columns: [Int] =
            switch scope.columns {
            case .columns(let columns): columns
            case .currentGrouping: grouping.column.map { [$0] } ?? texts
            }
        let alternatives: [[SQLPiece]]
        switch scope.match {
        case .contains, .beginsWith:
            let needle = TextFolding.fold(search.text)
            if needle.isEmpty { return ([], false) }
            alternatives = [
                columns.map {
                    let isFound =
                        scope.match == .contains ? contains($0, needle) : begins($0, needle)
                    return limited(isFound, $0, scope.lengths)
                }
            ]
        case .words:
            alternatives = Self.words(search.text).map { word in
                columns.filter { list.columns[$0].isText }.map {
                    limited(contains($0, TextFolding.fold(word)), $0, scope.lengths)
                }
                    + (Self.digits(word).map { digits in
                        columns.filter { !list.columns[$0].isText }.map { beginning($0, digits) }
                    } ?? [])
            }
        }
        if alternatives.isEmpty { return ([], false) }
        let tests = alternatives.map { "(\(SQLPiece.joined(["0"] + $0, by: " OR ")))" as SQLPiece }
        return (tests + (try scope.conditions.map(test)), scope.isFlat)
    }

    private func limited(
        _ isFound: SQLPiece, _ column: Int, _ lengths: ClosedRange<Int>?
    ) -> SQLPiece {
        guard let lengths else { return isFound }
        return "(\(isFound) AND c\(column) BETWEEN \(lengths.lowerBound) AND \(lengths.upperBound))"
    }

    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isPhrase = false
        for scalar in text.unicodeScalars {
            if isPhrase ? scalar == "\"" : scalar.properties.isWhitespace {
                words.append(word)
                (word, isPhrase) = ("", false)
            } else if scalar == "\"", word.isEmpty, !isPhrase {
                isPhrase = true
            } else {
                word.unicodeScalars.append(scalar)
            }
        }
        return (words + [word]).filter { !TextFolding.fold($0).isEmpty }
    }

    private static func digits(_ word: String) -> String? {
        let rest = word.unicodeScalars.first == "-" ? String(word.dropFirst()) : word
        let digits = "0"..."9" as ClosedRange<Unicode.Scalar>
        guard let first = rest.unicodeScalars.first, digits.contains(first) else { return nil }
        let isPlain = rest.unicodeScalars.allSatisfy {
            digits.contains($0) || "-:. T+Ee".unicodeScalars.contains($0)
        }
        let isGrouped = rest.wholeMatch(of: /[0-9]{1,3}(,[0-9]{3})*,[0-9]{0,3}/) != nil
        return isPlain ? word : isGrouped ? word.replacing(",", with: "") : nil
    }
}
