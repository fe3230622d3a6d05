import Testing
import ValetArrangement
import ValetModel

/// Lists whose rows are all the same, or all different: the ends between which others lie.
@Suite struct UniformListTests {
    enum Values: String, CaseIterable, Sendable {
        case same, different, missing

        func cell(_ id: Int64) -> Cell {
            switch self {
            case .same: .text("Citroën")
            case .different: .text("Nº \(id * 7_919 % 5_003)")
            case .missing: .null
            }
        }

        func number(_ id: Int64) -> Cell {
            switch self {
            case .same: .integer(7)
            case .different: .integer(id * 7_919 % 5_003)
            case .missing: .null
            }
        }
    }

    @Test(arguments: Values.allCases, Values.allCases)
    func answersAreThoseOfASortedArray(_ first: Values, _ second: Values) throws {
        var list = ModelList(columns: [
            ColumnDescription(name: "make", type: .text),
            ColumnDescription(name: "year", type: .integer),
        ])
        for id in 0..<4_200 as Range<Int64> {
            list.rows[id] = [first.cell(id), second.number(id)]
        }
        let snapshot = Snapshot(of: list)
        var random = SeededNumbers(seed: 20_270_101)
        for (column, other) in [(0, 1), (1, 0)] {
            for text in [nil, "nº 1", "citroen", "zz"] {
                let query = try ListQuery(
                    of: list.description,
                    by: .sections(
                        by: column, isDescending: column == 1, rowOrder: [SortKey(column: other)],
                        indexTitles: .firstLetter),
                    search: text.map { .init($0) })
                let opened = try snapshot.opening(query.specification)
                opened.checkInvariants()
                ArrangementChecker(opened, query, list, "\(first), \(second)").check(&random)
            }
        }
    }
}
