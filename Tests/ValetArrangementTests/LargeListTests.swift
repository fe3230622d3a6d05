import Testing
import ValetArrangement
import ValetModel

/// Lists as large as they come, answered without a walk.
@Suite struct LargeListTests {
    /// So many rows, each with a number.
    private static func snapshot(of count: Int, _ number: (Int) -> Int) -> Snapshot {
        var builder = ColumnCacheBuilder(
            descriptions: [ColumnDescription(name: "number", type: .integer)], wanted: [0])
        for id in 0..<count {
            builder.beginRow(Int64(id))
            builder.append(.integer(Int64(number(id))), to: 0)
        }
        return Snapshot(cache: builder.finish())
    }

    @Test func aMillionSectionsOfOneRowAnswer() throws {
        let count = 1_000_000
        let specification = ArrangementSpecification(
            sectionColumn: 0, expression: .wholeValue, isDescending: true)
        // Sections in another order than rows: 7 and a million share no factor.
        let snapshot = try Self.snapshot(of: count) { $0 * 7 % count }.opening(specification)
        let rows = snapshot.rows(
            specification, SectionTitles(template: "Section: {}", indexTitles: .wholeValue))
        #expect(rows.rowCount == count && rows.sectionCount == count)
        let window = rows.window(at: .fraction(1 << 31), rowsBefore: 10, rows: 40)!
        #expect(window.range == 499_990..<500_030)
        #expect(window.runs.map(\.section) == Array(499_990..<500_030))
        #expect(window.runs[0].title == "Section: 500009")
        #expect(rows.section(titled: "Section: 0") == count - 1)
        #expect(rows.section(titled: "Section: 1000000") == nil)
        #expect(rows.sections(from: 700_000, count: 2).map(\.first) == [700_000, 700_001])
        #expect(rows.sections(from: count - 1, count: 9).map(\.title) == ["Section: 0"])
        #expect(rows.sections(from: count, count: 9).isEmpty)
        #expect(rows.locate(3)?.path == IndexPath(section: count - 22, row: 0))
        #expect(rows.index(most: 3).map(\.section) == [0, 499_999, 999_999])
        let ranking = try SectionRanking(of: rows.arrangement)
        #expect(
            rows.sections(ranked: ranking, from: 700_000, count: 3)
                == rows.sections(from: 700_000, count: 3))
        #expect(rows.sections(ranked: ranking, from: count, count: 9).isEmpty)
    }

    /// All rows or those that a search finds, in sections of one row and a few of more.
    @Test(arguments: [nil, "1"]) func aMillionRowsAreRankedUntilThatIsCancelled(
        search: String?
    ) throws {
        var specification = ArrangementSpecification.byValue
        specification.filter = search.flatMap { Filter.search($0) }
        let snapshot = try Self.snapshot(of: 1_000_000) { $0 % 1_000 == 0 ? $0 % 7_000 : $0 }
            .opening(specification)
        let rows = snapshot.rows(specification)
        let ranking = try SectionRanking(of: rows.arrangement)
        let largest = rows.sections(ranked: ranking, from: 0, count: 8)
        #expect(largest.map(\.title).first == (search == nil ? "0" : "1000"))
        #expect(largest.map(\.count) == largest.map(\.count).sorted(by: >))
        #expect(largest.map(\.count).last == 1 && largest[0].count > 100)
        try expectChecks(atLeast: 10, trials: 2) {
            _ = try SectionRanking(of: rows.arrangement, isCancelled: $0)
        }
    }

    /// With more first letters than the index's walk takes, the entries are those of sections that
    /// stand evenly apart, each the first of its letter.
    @Test(arguments: [511, 512, 513, 1_000], [1, 2, 20, 700, 1_024])
    func anIndexOfManyLettersIsThinned(letters: Int, most: Int) throws {
        // Letters of one to eleven sections.
        let list = ModelList(
            texts: (0..<letters).flatMap { letter in
                let scalar = Unicode.Scalar(UInt32(0x4E00 + letter))!
                return (10...10 + letter * 7 % 11).map { "\(Character(scalar))\($0)" }
            })
        let sections = list.rows.count
        let query = try ListQuery(
            of: list.description, by: .sections(by: 0, indexTitles: .firstLetter))
        let rows = try Snapshot(of: list).opening(query.specification)
            .rows(query.specification, query.titles)
        let all = query.arrangement(of: list).index
        #expect(all.count == letters && rows.sectionCount == sections)
        /// The entry that a section stands under.
        func entry(ofSection section: Int) -> IndexEntry { all.last { $0.section <= section }! }
        var expected: [IndexEntry] = []
        if letters <= 512 {
            expected = Self.places(of: all.count, most: most).map { all[$0] }
        } else {
            for entry in Self.places(of: sections, most: most).map(entry)
            where expected.last != entry { expected.append(entry) }
        }
        #expect(rows.index(most: most) == expected)
    }

    private static func places(of count: Int, most: Int) -> [Int] {
        if count <= most { return Array(0..<count) }
        return most == 1 ? [0] : (0..<most).map { $0 * (count - 1) / (most - 1) }
    }
}

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
