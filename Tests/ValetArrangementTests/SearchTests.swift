import Testing
import ValetModel

@testable import ValetArrangement

/// Searches by name; random ones are in the property tests.
@Suite struct SearchTests {
    private static let cells: [Cell] = [
        .text("Citroën"), .text("STRASSE"), .null, .text("Straße"), .text("citroen C4"),
    ]

    private static func found(_ search: ModelSearch) throws -> [Int64] {
        var list = ModelList(descriptions: [ColumnDescription(name: "make", type: .text)])
        for (id, cell) in cells.enumerated() { list.rows[Int64(id)] = [cell] }
        let specification = ArrangementSpecification(
            sectionColumn: nil, expression: .none, filter: search.filter, isFlat: true)
        let rows = try Snapshot(revision: 0, cache: .reading(list), numbers: LeafNumbers())
            .opening(specification)
            .rows(specification, SectionTitles(template: nil, indexTitles: .none))
        return (0..<rows.rowCount).map { rows.rowID(at: $0) }
    }

    @Test(arguments: [
        ("citroen", [0, 4]), ("straße", [1, 3]), ("UNKNOWN", [2]), ("ß", [1, 3]), ("n c", [4]),
        ("zz", []), ("citroen c4 picasso", []),
    ])
    func lettersAreFoundWhateverTheirCaseAndMarks(text: String, ids: [Int64]) throws {
        let search = ModelSearch(text: text, columns: [0], match: .contains, lengths: nil)
        #expect(try Self.found(search) == ids)
    }

    @Test func lengthsCountCharactersOfTheTextAsWritten() throws {
        let short = ModelSearch(text: "s", columns: [0], match: .beginsWith, lengths: 0...6)
        #expect(try Self.found(short) == [3])
    }

    @Test(arguments: ["", "\u{301}"])
    func aTextOfNoLettersIsNoSearch(text: String) {
        #expect(Filter.search(text) == nil)
    }

    /// Texts are stored back to back.
    @Test(arguments: [("bc", [2]), ("ab", [0]), ("cd", [1]), ("abc", []), ("d", [1]), ("da", [])])
    func aNeedleIsNotFoundAcrossTwoTexts(text: String, ids: [Int64]) throws {
        var list = ModelList(descriptions: [ColumnDescription(name: "make", type: .text)])
        for (id, cell) in ["ab", "cd", "bc", "a"].enumerated() {
            list.rows[Int64(id)] = [.text(cell)]
        }
        let search = ModelSearch(text: text, columns: [0], match: .contains, lengths: nil)
        let specification = ArrangementSpecification(
            sectionColumn: nil, expression: .none, filter: search.filter)
        let rows = try Snapshot(revision: 0, cache: .reading(list), numbers: LeafNumbers())
            .opening(specification)
            .rows(specification, SectionTitles(template: nil, indexTitles: .none))
        #expect((0..<rows.rowCount).map { rows.rowID(at: $0) } == ids)
    }

    @Test func aCancelledSearchEnds() throws {
        var list = ModelList(descriptions: [ColumnDescription(name: "make", type: .text)])
        list.rows[1] = [.text("BMW")]
        let filter = Filter.search("b")!
        let specification = ArrangementSpecification(
            sectionColumn: nil, expression: .none, filter: filter)
        let snapshot = Snapshot(revision: 0, cache: .reading(list), numbers: LeafNumbers())
        #expect(throws: CancellationError.self) {
            try snapshot.building(specification, isCancelled: { true })
        }
        #expect(try snapshot.building(specification).last?.rowCount == 1)
    }

    /// Every 4,096 slots of the scan and every 1,024 leaves of the base: well within 5 ms.
    @Test func aLongSearchKeepsAskingWhetherAnyoneWaits() throws {
        let rows = 30 * ColumnChunk.slots
        var builder = ColumnCacheBuilder(
            descriptions: [ColumnDescription(name: "make", type: .text)], wanted: [0])
        for id in 0..<rows {
            builder.beginRow(Int64(id))
            Cell.text("BMW \(id % 7)").lend { builder.append($0, to: 0) }
        }
        var specification = ArrangementSpecification(sectionColumn: nil, expression: .none)
        let snapshot = try Snapshot(
            revision: 0, cache: builder.finish(), numbers: LeafNumbers()
        ).opening(specification)
        specification.filter = Filter.search("w 3")
        var queries = 0
        _ = try snapshot.building(specification) {
            queries += 1
            return false
        }
        #expect(queries >= rows / ColumnChunk.slots + rows / Limits.rowsPerLeaf / 1_024)
        for last in 1...queries {
            var asked = 0
            #expect(throws: CancellationError.self) {
                try snapshot.building(specification) {
                    asked += 1
                    return asked == last
                }
            }
            #expect(asked == last, "it went on after it was told to end")
        }
    }

    @Test func integersAreFoundByTheBeginningOfTheirDigits() {
        var random = SeededNumbers(seed: 77)
        var numbers: [Int64] = [.min, .min + 1, .max, .max - 1, -1, 0, 1, 9, 10, -10, 99, 100]
        numbers += (0..<2_000).map { _ in
            Int64.random(in: .min ... .max, using: &random)
                >> Int64.random(in: 0...63, using: &random)
        }
        let beginnings = Set(
            numbers.flatMap { number in
                (1...String(number).count).map { String(String(number).prefix($0)) }
            } + ["-0", "00", "007", "+1", "1x", "x", "9223372036854775808", "99999999999999999999"])
        for beginning in beginnings {
            let ranges = TextMatcher.integers(writtenFrom: Array(beginning.utf8))
            for number in numbers.prefix(200) {
                #expect(
                    ranges.contains { $0.contains(number) }
                        == String(number).hasPrefix(beginning), "\(number), \(beginning)")
            }
        }
    }

    /// Of a column of texts, which may have numbers.
    @Test(
        arguments: [
            (.integer(2), ["2", "2.0"]), (.real(2), ["2", "2.0"]), (.real(2.5), ["2.5"]),
            (.integer(0), ["0", "0.0", "-0.0"]), (.real(-0.0), ["0", "0.0", "-0.0"]),
            (.integer(1 << 53 + 1), ["9007199254740993"]), (.real(1e20), ["1e+20"]),
            (.real(.infinity), ["inf"]), (.real(.nan), []),
        ] as [(Cell, Set<String>)])
    func aNumberIsEqualToTheTextsThatWriteIt(number: Cell, texts: Set<String>) throws {
        let test = try #require(
            ConditionTest(
                .isOneOf, [number], column: 0, of: ColumnDescription(name: "any", type: .text)))
        let others = ["02", "2.00", "+2", "2 ", "9007199254740992", "nan", "two"]
        for text in texts.union(others) {
            Array(text.utf8).withUnsafeBytes { raw in
                #expect(
                    test.matches(ValueDictionary.Entry.text(raw: raw, folded: raw))
                        == texts.contains(text), "\(text)")
            }
        }
    }

    /// Whichever of them is stored, a number and a text are equal to each other.
    @Test func aTextThatWritesANumberIsEqualToIt() throws {
        let description = ColumnDescription(name: "any", type: .text)
        func test(_ comparison: Comparison, _ value: Cell) throws -> ConditionTest {
            try #require(ConditionTest(comparison, [value], column: 0, of: description))
        }
        let numbers: [Cell] = [
            .integer(2), .real(2), .real(2.5), .integer(0), .real(-0.0), .real(1e20),
            .real(.infinity), .integer(1 << 53 + 1), .real(0x1p53), .real(.nan),
        ]
        let texts = [
            "2", "2.0", "02", "2.50", "2.5", "0", "-0", "-0.0", "1e+20", "1E+20", "1e20", "Inf",
            "9007199254740993", "9007199254740992.0", "nan", "two",
        ]
        for number in numbers {
            for text in texts {
                let folded = TextFolding.fold(text)
                for comparison in [.isOneOf, .isNoneOf, .atMost, .atLeast] as [Comparison] {
                    let test = try (test(comparison, number), test(comparison, .text(text)))
                    let byNumber = folded.withUnsafeBytes { raw in
                        test.0.matches(ValueDictionary.Entry.text(raw: raw, folded: raw))
                    }
                    #expect(byNumber == test.1.matches(number), "\(number) \(comparison) \(text)")
                }
            }
        }
        #expect(try test(.atMost, .text("1E+20")).matches(Cell.real(1e20)))
        #expect(try !test(.below, .text("2")).matches(Cell.integer(2)))
        #expect(try !test(.atLeast, .text("2")).matches(Cell.integer(3)), "not as texts order")
    }

    /// So that their rows are found once.
    @Test func conditionsWithTheSameValuesAreEqual() {
        func test(_ values: [Cell]) -> ConditionTest? {
            ConditionTest(
                .isOneOf, values, column: 0, of: ColumnDescription(name: "make", type: .text))
        }
        let values: [Cell] = ["bmw", "Audi", "", "volvo", "Škoda", "8001"].map { .text($0) }
        #expect(test(values) == test(values.reversed() + [.text("BMW")]))
        #expect(test(values) != test(values.dropLast()))
    }
}

extension ConditionTest {
    fileprivate func matches(_ number: Cell) -> Bool {
        switch number {
        case .integer(let number): matches(number)
        case .real(let real): matches(real)
        case .null, .text, .malformedText, .cutText, .blob: false
        }
    }
}
