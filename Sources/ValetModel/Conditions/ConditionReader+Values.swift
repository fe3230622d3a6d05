extension ConditionReader {
    func values(
        _ text: inout ConditionText, _ comparison: Comparison, _ column: ColumnDescription
    ) throws(ConditionError) -> [Cell] {
        if comparison == .between { return try bounds(&text, column) }
        var values: [Cell] = []
        let counts = comparison.valueCounts
        guard counts.upperBound > 0 else { return [] }
        repeat {
            text.skipBlanks()
            let start = text.position
            values.append(try value(&text, comparison, column))
            guard values.count <= counts.upperBound else {
                throw wrong(
                    text, start..<text.position,
                    "a condition takes at most \(counts.upperBound) values", code: .limitExceeded)
            }
        } while counts.upperBound > 1 && text.skip(",")
        return values
    }

    /// Two values with `and`, `/` or `..` between them.
    private func bounds(
        _ text: inout ConditionText, _ column: ColumnDescription
    ) throws(ConditionError) -> [Cell] {
        text.skipBlanks()
        let start = text.position
        guard let gap = gap(in: text, column) else {
            let range = start..<text.end
            throw wrong(
                text, range, "between takes two values: between 2005 and 2010", isIncomplete: true)
        }
        var first = ConditionText(text.string(0..<gap.lowerBound))
        first.position = start
        let least = try value(&first, .atLeast, column)
        text.position = gap.upperBound
        text.skipBlanks()
        return [least, try value(&text, .atMost, column)]
    }

    /// Where one bound ends and the other begins.
    func gap(in text: ConditionText, _ column: ColumnDescription) -> Range<Int>? {
        var rest = text
        if rest.next == "\"" { _ = rest.quoted() }
        while !rest.isAtEnd {
            let place = rest.position
            if rest.isAtBlank {
                rest.skipBlanks()
                let word = rest.position
                if rest.skip(words: ["and"]), rest.isAtBlank { return place..<rest.position }
                rest.position = word
            } else if let separator = separator(in: rest, column) {
                return separator
            } else {
                rest.position += 1
            }
        }
        return nil
    }

    /// `/` or `..`; in a text they are part of it.
    private func separator(in text: ConditionText, _ column: ColumnDescription) -> Range<Int>? {
        guard column.isNumber || column.type == .date else { return nil }
        let (place, next) = (text.position, text.next)
        if next == "/" { return place..<place + 1 }
        let isDots = next == "." && text.scalars[checked: place + 1] == "."
        return isDots ? place..<place + 2 : nil
    }

    /// `2005/2010`, as a column of numbers has it.
    func span(
        _ text: ConditionText, _ comparison: Comparison, _ column: ColumnDescription
    ) -> Condition? {
        guard comparison == .isOneOf, column.isNumber, let gap = gap(in: text, column),
            !text.scalars[gap.lowerBound].properties.isWhitespace
        else { return nil }
        var rest = text
        guard let bounds = try? bounds(&rest, column),
            bounds.allSatisfy({ if case .text = $0 { false } else { true } })
        else { return nil }
        return Condition(column: column.name, .between, bounds)
    }

    /// Reads a value, up to a comma or the end.
    private func value(
        _ text: inout ConditionText, _ comparison: Comparison, _ column: ColumnDescription
    ) throws(ConditionError) -> Cell {
        let start = text.position
        let takesMore = comparison.valueCounts.upperBound > 1
        if text.next == "\"" {
            guard let quoted = text.quoted() else {
                throw unclosedQuote(text, from: start, expected: .value)
            }
            try checkLength(quoted, text, start..<text.position)
            text.skipBlanks()
            guard text.isAtEnd || takesMore && text.next == "," else {
                throw wrong(
                    text, text.position..<text.end,
                    "\(takesMore ? "only a comma" : "nothing") may follow text in quotes "
                        + "(write a quotation mark inside it twice)")
            }
            return .text(quoted)
        }
        let comma = takesMore ? text.scalars[start...].firstIndex(of: ",") : nil
        let last = text.scalars[start..<(comma ?? text.scalars.count)].lastIndex {
            !$0.properties.isWhitespace
        }
        let range = start..<(last.map { $0 + 1 } ?? start)
        text.position = comma ?? text.scalars.count
        let typed = text.string(range)
        guard !typed.isEmpty else {
            throw wrong(text, range, "a value is missing", isIncomplete: comma == nil)
        }
        try checkLength(typed, text, range)
        switch comparison {
        case .contains, .beginsWith, .doesNotContain:
            try checkSign(typed, text, range)
            return .text(typed)
        case .isOneOf, .isNoneOf, .below, .atMost, .above, .atLeast, .isMissing, .isPresent,
            .between:
            break
        }
        do throws(Refusal) {
            return try cell(takesMore ? typed : Self.ungrouped(typed, column), column)
        } catch {
            throw wrong(text, range, error.reason, isIncomplete: error.isIncomplete && comma == nil)
        }
    }

    /// A sign alone, behind another, is a slip: `model ~~ x`.
    private func checkSign(
        _ value: String, _ text: ConditionText, _ range: Range<Int>
    ) throws(ConditionError) {
        guard let first = value.unicodeScalars.first, "=~^<>≠≤≥!".unicodeScalars.contains(first)
        else { return }
        throw wrong(
            text, range,
            "\(Self.shown(value)) begins with an operator: write only one (or put it in quotes)",
            isIncomplete: value.unicodeScalars.count == 1)
    }

    /// `1,450,000` without its commas, where only one value may stand.
    private static func ungrouped(_ typed: String, _ column: ColumnDescription) -> String {
        guard column.isNumber, typed.utf8.contains(UInt8(ascii: ",")) else { return typed }
        let sign = typed.utf8.first == UInt8(ascii: "-") || typed.utf8.first == UInt8(ascii: "+")
        let number = sign ? String(typed.dropFirst()) : typed
        let whole = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let groups = whole.split(separator: ",", omittingEmptySubsequences: false)
        guard let first = groups.first, (1...3).contains(first.utf8.count),
            groups.dropFirst().allSatisfy({ $0.utf8.count == 3 }),
            groups.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) })
        else { return typed }
        return typed.replacing(",", with: "")
    }

    private func checkLength(
        _ value: String, _ text: ConditionText, _ range: Range<Int>
    ) throws(ConditionError) {
        let limit = Limits.bytesPerSearch
        guard value.utf8.count <= limit else {
            throw wrong(
                text, range, "a value takes at most \(limit) bytes, not \(value.utf8.count)",
                code: .limitExceeded)
        }
    }

    private func wrong(
        _ text: ConditionText, _ range: Range<Int>, _ message: String,
        code: ErrorCode = .invalidCondition, isIncomplete: Bool = false
    ) -> ConditionError {
        ConditionError(
            code: code, message: message, alternatives: [], place: text.place(range),
            expected: .value, typed: text.string(range), isIncomplete: isIncomplete)
    }

    // MARK: Values by type

    private struct Refusal: Error {
        var reason: String
        var isIncomplete = false
    }

    private func cell(_ typed: String, _ column: ColumnDescription) throws(Refusal) -> Cell {
        switch column.type {
        case .text: return .text(typed)
        case .integer, .real:
            if let number = try Self.number(typed) { return number }
            if let amount = try Self.amount(typed) { return amount }
            if let slip = slip(in: typed, column) { throw Refusal(reason: slip) }
            guard RelativeDate(typed) == nil else {
                throw Refusal(
                    reason: "“\(column.name)” takes numbers, and \(Self.shown(typed)) is for date "
                        + "columns (a catalog can make it one: type: date)")
            }
            let plain = typed.filter { $0 != "," }
            if plain != typed, try Self.number(plain) != nil {
                throw Refusal(reason: "“\(column.name)” takes numbers, without commas: \(plain)")
            }
            let advice =
                typed.utf8.first?.isDigit == true
                ? "a range has / between two: 2005/2010" : "put it in quotes to compare it as text"
            throw Refusal(
                reason: "“\(column.name)” takes numbers, and \(Self.shown(typed)) is not one "
                    + "(\(advice))",
                isIncomplete: Self.mayGoOn(typed, with: "+-.")
                    || Self.mayGoOn(typed, with: "0123456789./") || Self.isAmountBegun(typed))
        case .boolean:
            switch typed.lowercased() {
            case "yes", "true": return .integer(1)
            case "no", "false": return .integer(0)
            default: break
            }
            // Any other number is yes, too, but not the same.
            if let number = try Self.number(typed) { return number }
            throw Refusal(
                reason: "“\(column.name)” is yes or no, not \(Self.shown(typed))",
                isIncomplete: Self.begins(typed, ["yes", "true", "no", "false"]))
        case .blob: return try Self.number(typed) ?? .text(typed)
        case .date: return try date(typed, column)
        }
    }

    private func date(_ typed: String, _ column: ColumnDescription) throws(Refusal) -> Cell {
        if let relative = RelativeDate(typed) {
            guard let now else {
                throw Refusal(
                    reason: "\(Self.shown(typed)) changes from day to day, and this is read only "
                        + "once: write a date, such as 2026-03-09")
            }
            guard let text = relative.text(at: now, in: column.zone ?? zone) else {
                throw Refusal(reason: "\(Self.shown(typed)) is outside the years 0 to 9999")
            }
            return .text(text)
        }
        let span = typed.replacing("..", with: "/").split(
            separator: "/", omittingEmptySubsequences: false
        ).map { part in
            WallTime.padded(
                String(
                    part.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()))
        }.joined(separator: "/")
        if WallTime.span(span) != nil { return .text(span) }
        if let number = try Self.number(typed) { return number }
        throw Refusal(
            reason: "\(Self.shown(typed)) is not a date: write 2026, 2026-03, 2026-03-09, "
                + "2026-03-09 14:02, two of them with / between, or a word such as today "
                + "(put it in quotes to compare it as text)",
            isIncomplete: Self.mayGoOn(typed, with: "0123456789-:/. tT")
                || Self.begins(typed, RelativeDate.words + ["last 7 days", "last 24 hours"]))
    }

    private static func isAmountBegun(_ typed: String) -> Bool {
        let (digits, unit) = unit(of: typed)
        guard !unit.isEmpty, case .some(.some) = try? number(digits + "e0") else { return false }
        return zeros.keys.contains { $0.hasPrefix(unit) }
    }

    private static func begins(_ typed: String, _ words: [String]) -> Bool {
        words.contains { $0.hasPrefix(typed.lowercased()) }
    }

    private static func mayGoOn(_ typed: String, with scalars: String) -> Bool {
        typed.unicodeScalars.allSatisfy(scalars.unicodeScalars.contains)
    }

    /// A number in digits: whole, or real with a point or an exponent; or an infinity, as it is
    /// shown. nil for anything else.
    private static func number(_ typed: String) throws(Refusal) -> Cell? {
        if ["inf", "+inf", "-inf"].contains(typed) {
            return .real(typed == "-inf" ? -.infinity : .infinity)
        }
        let digits = typed.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        guard let first = digits.first, typed.utf8.count - digits.count <= 1,
            first.isDigit || first == UInt8(ascii: ".")
        else { return nil }
        if digits.allSatisfy(\.isDigit) {
            guard let number = Int64(typed) else {
                throw Refusal(reason: "\(shown(typed)) is too large for a whole number of 64 bits")
            }
            return .integer(number)
        }
        // `Double` also reads hexadecimal digits and words.
        guard typed.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }),
            let number = Double(typed)
        else { return nil }
        guard number.isFinite else {
            throw Refusal(reason: "\(shown(typed)) is too large for a number")
        }
        // 1e6 is a million, and reads so.
        let hasExponent = typed.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
        if hasExponent, abs(number) <= largestExact, let whole = Int64(exactly: number) {
            return .integer(whole)
        }
        return .real(number)
    }

    /// `1.5 million`, `20k`; nil for anything else.
    private static func amount(_ typed: String) throws(Refusal) -> Cell? {
        let (digits, unit) = unit(of: typed)
        guard let zeros = zeros[unit] else { return nil }
        return try number(digits + "e\(zeros)")
    }

    private static func unit(of typed: String) -> (digits: String, unit: String) {
        guard let last = typed.utf8.lastIndex(where: \.isDigit) else { return (typed, "") }
        let unit = typed[typed.utf8.index(after: last)...]
        return (String(typed[...last]), unit.drop(while: \.isWhitespace).lowercased())
    }

    /// Beyond, not every whole number is a real one.
    private static let largestExact = 0x1p53

    private static let zeros = [
        "k": 3, "thousand": 3, "m": 6, "mio": 6, "million": 6, "millions": 6, "bn": 9, "billion": 9,
        "billions": 9,
    ]
}
