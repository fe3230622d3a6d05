import Testing
import ValetArrangement
import ValetModel

/// Lists as large as they come, answered without a walk.
@Suite struct LargeListTests {
    @Test func aMillionSectionsOfOneRowAnswer() throws {
        let count = 1_000_000
        var builder = ColumnCacheBuilder(
            descriptions: [ColumnDescription(name: "number", type: .integer)], wanted: [0])
        for id in 0..<count {
            builder.beginRow(Int64(id))
            // Sections in another order than rows: 7 and a million share no factor.
            builder.append(.integer(Int64(id * 7 % count)), to: 0)
        }
        let specification = ArrangementSpecification(
            sectionColumn: 0, expression: .wholeValue, isDescending: true)
        let snapshot = try Snapshot(
            revision: 0, cache: builder.finish(), numbers: LeafNumbers()
        ).opening(specification)
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
        let count = 1_000_000
        var builder = ColumnCacheBuilder(
            descriptions: [ColumnDescription(name: "number", type: .integer)], wanted: [0])
        for id in 0..<count {
            builder.beginRow(Int64(id))
            builder.append(.integer(Int64(id % 1_000 == 0 ? id % 7_000 : id)), to: 0)
        }
        let specification = ArrangementSpecification(
            sectionColumn: 0, expression: .wholeValue,
            filter: search.flatMap {
                ModelSearch(text: $0, columns: [0], match: .contains).filter
            })
        let snapshot = try Snapshot(
            revision: 0, cache: builder.finish(), numbers: LeafNumbers()
        ).opening(specification)
        let rows = snapshot.rows(specification, SectionTitles(template: nil, indexTitles: .none))
        var polls = 0
        let ranking = try SectionRanking(of: rows.arrangement) {
            polls += 1
            return false
        }
        let largest = rows.sections(ranked: ranking, from: 0, count: 8)
        #expect(largest.map(\.title).first == (search == nil ? "0" : "1000"))
        #expect(largest.map(\.count) == largest.map(\.count).sorted(by: >))
        #expect(largest.map(\.count).last == 1 && largest[0].count > 100)
        #expect(polls >= 10)
        for last in [1, polls / 2, polls] {
            var asked = 0
            #expect(throws: CancellationError.self) {
                try SectionRanking(of: rows.arrangement) {
                    asked += 1
                    return asked == last
                }
            }
            #expect(asked == last)
        }
    }

    /// With more first letters than the index's walk takes, the entries are those of sections that
    /// stand evenly apart, each the first of its letter.
    @Test(arguments: [511, 512, 513, 1_000], [1, 2, 20, 700, 1_024])
    func anIndexOfManyLettersIsThinned(letters: Int, most: Int) throws {
        let column = ColumnDescription(name: "word", type: .text)
        var list = ModelList(descriptions: [column])
        // Letters of one to eleven sections.
        var sections = 0
        for letter in 0..<letters {
            let scalar = Unicode.Scalar(UInt32(0x4E00 + letter))!
            for _ in 0...letter * 7 % 11 {
                list.rows[Int64(sections)] = [.text("\(Character(scalar))\(sections)")]
                sections += 1
            }
        }
        let specification = ArrangementSpecification(sectionColumn: 0, expression: .wholeValue)
        let titles = SectionTitles(template: nil, indexTitles: .firstLetter)
        let rows = try Snapshot(revision: 0, cache: .reading(list), numbers: LeafNumbers())
            .opening(specification).rows(specification, titles)
        let all = ModelArrangement(list, specification, search: nil, titles: titles).index
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
