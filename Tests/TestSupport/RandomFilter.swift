import ValetModel

/// Some rows of a table with a column of texts and one of numbers: as conditions of a list, and as
/// SQL finds them.
package struct RandomFilter: Sendable {
    package let conditions: [String]
    package let sql: String

    /// - Parameters:
    ///   - text: a column of texts in small letters and digits, without `unknown`, or NULL; nil for
    ///     conditions of numbers alone.
    ///   - number: a column of numbers from 0 below `bound`, or NULL; nil for conditions of texts.
    package init(
        text: String?, of texts: [String] = [], number: String?, below bound: Int = 0,
        _ numbers: inout SeededNumbers
    ) {
        var conditions: [String] = []
        var tests: [String] = []
        for _ in 0...numbers.below(2) {
            let isOfText = numbers.below(3) == 0
            let (condition, test) =
                if let text, isOfText || number == nil {
                    Self.test(of: text, texts, &numbers)
                } else {
                    Self.test(of: number ?? "", below: bound, &numbers)
                }
            conditions.append(condition)
            tests.append("(\(test))")
        }
        self.conditions = conditions
        sql = tests.joined(separator: " AND ")
    }

    /// As a catalog has them, between brackets.
    package var entries: String { conditions.map { "'\($0)'" }.joined(separator: ", ") }

    private static func test(
        of column: String, _ texts: [String], _ numbers: inout SeededNumbers
    ) -> (condition: String, test: String) {
        let values = (0...numbers.below(2)).map { _ in texts[numbers.below(texts.count)] }
        let listed = values.joined(separator: ", ")
        let quoted = values.map { "'\($0)'" }.joined(separator: ", ")
        let missing = "\(column) IS NULL OR \(column) = ''"
        return switch numbers.below(6) {
        case 0: ("\(column) = \(listed)", "\(column) IN (\(quoted))")
        case 1: ("\(column) != \(listed)", "\(column) IS NULL OR \(column) NOT IN (\(quoted))")
        case 2: ("\(column) missing", missing)
        case 3: ("\(column) present", "NOT (\(missing))")
        case 4:
            (
                "\(column) begins with \(values[0].prefix(1))",
                "\(column) GLOB '\(values[0].prefix(1))*'"
            )
        default:
            (
                "\(column) contains \(values[0].suffix(1))",
                "\(column) GLOB '*\(values[0].suffix(1))*'"
            )
        }
    }

    private static func test(
        of column: String, below bound: Int, _ numbers: inout SeededNumbers
    ) -> (condition: String, test: String) {
        let values = (0...numbers.below(3)).map { _ in "\(numbers.below(bound))" }
        let listed = values.joined(separator: ", ")
        let place = bound / 4 + numbers.below(bound / 2)
        return switch numbers.below(10) {
        case 0: ("\(column) = \(listed)", "\(column) IN (\(listed))")
        case 1: ("\(column) != \(listed)", "\(column) IS NULL OR \(column) NOT IN (\(listed))")
        case 2: ("\(column) missing", "\(column) IS NULL")
        case 3: ("\(column) present", "\(column) NOT NULL")
        case 4, 5: ("\(column) < \(place)", "\(column) < \(place)")
        case 6: ("\(column) <= \(place)", "\(column) <= \(place)")
        case 7: ("\(column) > \(place)", "\(column) > \(place)")
        default: ("\(column) >= \(place)", "\(column) >= \(place)")
        }
    }
}
