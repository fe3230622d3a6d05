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
        var list = ModelList(descriptions: [
            ColumnDescription(name: "make", type: .text),
            ColumnDescription(name: "year", type: .integer),
        ])
        for id in 0..<4_200 as Range<Int64> {
            list.rows[id] = [first.cell(id), second.number(id)]
        }
        let snapshot = Snapshot(revision: 0, cache: .reading(list), numbers: LeafNumbers())
        var random = SeededNumbers(seed: 20_270_101)
        let titles = SectionTitles(template: nil, indexTitles: .firstLetter)
        for (column, other) in [(0, 1), (1, 0)] {
            for text in [nil, "nº 1", "citroen", "zz"] {
                let search = text.map {
                    ModelSearch(text: $0, columns: [0], match: .contains, lengths: nil)
                }
                let specification = ArrangementSpecification(
                    sectionColumn: column, expression: .wholeValue, isDescending: column == 1,
                    rowOrder: [SortKey(column: other)], filter: search?.filter)
                let opened = try snapshot.opening(specification)
                opened.checkInvariants()
                ArrangementChecker(
                    rows: opened.rows(specification, titles),
                    model: ModelArrangement(list, specification, search: search, titles: titles),
                    place: "\(first), \(second), by \(column), search \(text ?? "none")"
                ).check(&random)
            }
        }
    }
}
