import ValetModel

/// A condition as a test of a column's values: its values are parsed and folded once.
package struct ConditionTest: Hashable, Sendable {
    package let column: Int
    /// Whether the values pass that are not accepted.
    private let isNegated: Bool
    private let accepted: Accepted
    /// A cached hash: a condition may have a thousand values.
    private let acceptedHash: Int

    private enum Accepted: Hashable {
        case missing
        case values(AcceptedNumbers, AcceptedTexts, AcceptedDates?)
    }

    /// - Parameters:
    ///   - values: as many as the comparison takes, integers, reals and texts.
    /// - Returns: nil for a comparison that is a `TextTest`, or several tests.
    package init?(
        _ comparison: Comparison, _ values: [Cell], column: Int, of description: ColumnDescription
    ) {
        self.column = column
        isNegated = comparison == .isNoneOf || comparison == .isPresent
        switch comparison {
        case .isMissing, .isPresent: accepted = .missing
        case .contains, .beginsWith, .doesNotContain, .between: return nil
        case .isOneOf, .isNoneOf, .below, .atMost, .above, .atLeast:
            var numbers = AcceptedNumbers()
            var texts = AcceptedTexts()
            var dates = AcceptedDates(zone: description.zone)
            // A column of texts may have numbers, and texts that look the same.
            let takesWritings = comparison.takesEqual && description.type == .text
            for value in values {
                for text in takesWritings ? value.writings : [] {
                    texts.add(.isOneOf, TextFolding.fold(text))
                }
                switch value {
                case .integer(let number): numbers.add(comparison, number)
                case .real(let real): numbers.add(comparison, real)
                case .text(let text):
                    if description.type == .date, let span = WallTime.span(text) {
                        dates.add(comparison, span)
                    } else {
                        let folded = TextFolding.fold(text)
                        texts.add(comparison, folded)
                        if takesWritings { numbers.add(writtenAs: folded) }
                    }
                case .null, .malformedText, .cutText, .blob: break
                }
            }
            numbers.sort()
            texts.sort()
            dates.sort()
            accepted = .values(numbers, texts, dates.isEmpty ? nil : dates)
        }
        var hasher = Hasher()
        hasher.combine(accepted)
        acceptedHash = hasher.finalize()
    }

    package static func == (one: ConditionTest, other: ConditionTest) -> Bool {
        one.acceptedHash == other.acceptedHash && one.column == other.column
            && one.isNegated == other.isNegated && one.accepted == other.accepted
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(column)
        hasher.combine(isNegated)
        hasher.combine(acceptedHash)
    }
}

extension Comparison {
    /// Whether equal values are accepted, or left out.
    fileprivate var takesEqual: Bool {
        switch self {
        case .isOneOf, .isNoneOf, .atMost, .atLeast: true
        case .below, .above, .contains, .beginsWith, .isMissing, .isPresent, .between,
            .doesNotContain:
            false
        }
    }
}

extension ConditionTest: ValueTest {
    var matchOfAll: Bool? { accepted == .missing ? isNegated : nil }

    var matchesMissing: Bool { (accepted == .missing) != isNegated }

    func passingNumbers(_ kind: ColumnChunk.Kind) -> PassingNumbers? {
        guard case .values(let numbers, _, let dates) = accepted else { return nil }
        let ranges: [ClosedRange<Int64>]? =
            switch kind {
            case .integer:
                if let dates {
                    dates.ofIntegers.map { numbers.ofIntegers + $0 }
                } else {
                    numbers.ofIntegers
                }
            case .decimal(let scale) where dates == nil: numbers.ofDecimals(scale: scale)
            case .code, .decimal, .real: nil
            }
        guard let ranges, ranges.count <= PassingNumbers.mostRanges else { return nil }
        return PassingNumbers(ranges: ranges, isNegated: isNegated)
    }

    func matches(_ entry: ValueDictionary.Entry) -> Bool {
        switch entry {
        case .integer(let number): return matches(number)
        case .real(let real): return matches(real)
        case .blob: return isNegated
        case .text(let raw, let folded):
            guard case .values(_, let texts, let dates) = accepted else { return isNegated }
            let isAccepted = texts.contains(folded) || dates?.contains(raw) ?? false
            return isAccepted != isNegated
        }
    }

    func matches(_ number: Int64) -> Bool {
        guard case .values(let numbers, _, let dates) = accepted else { return isNegated }
        return (numbers.contains(number) || dates?.contains(number) ?? false) != isNegated
    }

    func matches(_ real: Double) -> Bool {
        guard case .values(let numbers, _, let dates) = accepted else { return isNegated }
        return (numbers.contains(real) || dates?.contains(real) ?? false) != isNegated
    }
}
