import TestSupport
import Testing

@testable import ValetModel

struct RandomConditionTests {
    private static let pieces =
        Comparison.allCases.flatMap(\.spellings)
        + [
            "make", "year", "owner", "first", "a", "b", "é", "e\u{301}", "\"", "\"\"", ",", ", ",
            " ",
            "  ", "\u{A0}", "\u{0}", "\u{338}", "=", "!", "2015", "2026-03", "/", "-", "1e9", ".",
            "today", "last", "7", "days", "nan", "\n", "🇨🇭", "\u{FFFD}", "漢", "İ", "ß", "yes",
        ]

    private static func text(_ numbers: inout SeededNumbers, most: Int) -> String {
        (0..<numbers.below(most + 1)).map { _ in pieces[numbers.below(pieces.count)] }.joined()
    }

    private static func columns(_ numbers: inout SeededNumbers) -> [ColumnDescription] {
        var names: Set<[UInt8]> = []
        return (0...numbers.below(8)).compactMap { _ in
            let name = text(&numbers, most: 4)
            guard names.insert(Array(name.utf8)).inserted else { return nil }
            let types = ColumnType.allCases
            return ColumnDescription(
                name: name, label: numbers.below(3) == 0 ? text(&numbers, most: 3) : nil,
                type: types[numbers.below(types.count)])
        }
    }

    /// nil where the comparison takes none of the kind.
    private static func value(
        _ comparison: Comparison, _ type: ColumnType, _ numbers: inout SeededNumbers
    ) -> Cell {
        let isText =
            type == .text || [.contains, .beginsWith, .doesNotContain].contains(comparison)
        switch isText ? 3 : numbers.below(4) {
        case 0: return .integer(Int64(truncatingIfNeeded: numbers.next()) >> numbers.below(64))
        case 1: return .integer(Int64(numbers.below(3_000)))
        case 2:
            let real = Double(bitPattern: numbers.next())
            return .real(real.isFinite ? real : -0.0)
        default: return .text(text(&numbers, most: 4))
        }
    }

    @Test func aWrittenConditionReadsAsTheSame() throws {
        for index in 0..<3_000 {
            var numbers = SeededNumbers(seed: runSeed, index: index)
            let columns = Self.columns(&numbers)
            let column = columns[numbers.below(columns.count)]
            let comparisons = Comparison.comparisons(of: column)
            let comparison = comparisons[numbers.below(comparisons.count)]
            let counts = comparison.valueCounts
            let count = min(counts.upperBound, counts.lowerBound + numbers.below(3))
            let condition = Condition(
                column: column.name, comparison,
                (0..<count).map { _ in Self.value(comparison, column.type, &numbers) })
            let text = condition.text(in: columns)
            let read = try? ConditionReader(columns: columns, now: 0).condition(text)
            #expect(
                read == condition,
                "VALET_SEED=\(runSeed), \(index): \(text.debugDescription) of \(columns)")
        }
    }

    @Test func noTextIsTooStrange() {
        for index in 0..<5_000 {
            var numbers = SeededNumbers(seed: runSeed, index: index)
            let columns = Self.columns(&numbers)
            let reader = ConditionReader(columns: columns, now: Int64(numbers.below(1 << 32)))
            let text = Self.text(&numbers, most: 9)
            do throws(ConditionError) {
                let condition = try reader.condition(text)
                #expect(condition.comparison.valueCounts.contains(condition.values.count))
                let again = try? reader.condition(condition.text(in: columns))
                #expect(again == condition, "VALET_SEED=\(runSeed), \(index)")
            } catch {
                #expect(
                    error.place.upperBound <= text.utf8.count, "VALET_SEED=\(runSeed), \(index)")
                let place = Array(text.utf8)[error.place]
                #expect(
                    error.typed.utf8.elementsEqual(place),
                    "VALET_SEED=\(runSeed), \(index): \(text.debugDescription) \(error)")
            }
        }
    }

    @Test(arguments: [
        "\"", "make", "=", " ", "is ", "missing ", "is not ", "a,", "\u{301}", "at ", "\"a\",",
    ])
    func longTextsAreReadInOneGo(piece: String) {
        let columns = (0..<50).map { ColumnDescription(name: "make\($0)", type: .text) }
        let reader = ConditionReader(columns: columns)
        for beginning in ["", "make7 ", "make7 = ", "\"make7"] {
            let text = beginning + String(repeating: piece, count: 100_000)
            _ = try? reader.condition(text)
        }
    }

    @Test func usualConditionsHaveNoQuotes() {
        let columns = [ColumnDescription].named([
            "make": .text, "parked": .date, "owner first": .text, "washed": .boolean, "fuel": .real,
        ])
        let texts: [(Condition, String)] = [
            (Condition(column: "make", .isOneOf, [.text("BMW")]), "make = BMW"),
            (
                Condition(column: "make", .isNoneOf, [.text("a,b"), .text("c")]),
                #"make ≠ "a,b", c"#
            ),
            (Condition(column: "parked", .isOneOf, [.text("2026-03")]), "parked = 2026-03"),
            (Condition(column: "parked", .below, [.text("soon")]), #"parked < "soon""#),
            (Condition(column: "owner first", .isMissing), "owner first missing"),
            (Condition(column: "washed", .isOneOf, [.integer(1)]), "washed = yes"),
            (Condition(column: "fuel", .atLeast, [.real(12.5)]), "fuel ≥ 12.5"),
            (Condition(column: "fuel", .contains, [.text("5")]), "fuel contains 5"),
            (
                Condition(column: "fuel", .between, [.integer(1), .real(2.5)]),
                "fuel between 1 and 2.5"
            ),
            (
                Condition(column: "make", .between, [.text("a"), .text("b and c")]),
                #"make between a and "b and c""#
            ),
            (Condition(column: "make", .doesNotContain, [.text("x")]), "make not contains x"),
            (Condition(column: "gone", .isOneOf, [.text("x")]), #""gone" = "x""#),
        ]
        for (condition, text) in texts { #expect(condition.text(in: columns) == text) }
    }
}
