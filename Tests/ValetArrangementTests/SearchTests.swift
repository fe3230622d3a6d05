import Testing
import ValetModel

@testable import ValetArrangement

/// Searches by name; random ones are in the property tests.
@Suite struct SearchTests {
    private static let cells: [Cell] = [
        .text("Citroën"), .text("STRASSE"), .null, .text("Straße"), .text("citroen C4"),
    ]

    private static func found(
        _ filter: Filter?, in cells: [Cell] = cells, isFlat: Bool = true
    ) throws -> [Int64] {
        let specification = ArrangementSpecification(
            sectionColumn: nil, expression: .none, filter: filter, isFlat: isFlat)
        return try Snapshot(of: ModelList(cells)).opening(specification).rows(specification).rowIDs
    }

    @Test(arguments: [
        ("citroen", [0, 4]), ("straße", [1, 3]), ("UNKNOWN", []), ("ß", [1, 3]), ("n c", [4]),
        ("zz", []), ("citroen c4 picasso", []),
    ])
    func lettersAreFoundWhateverTheirCaseAndMarks(text: String, ids: [Int64]) throws {
        #expect(try Self.found(.search(text)) == ids)
    }

    @Test func lengthsCountCharactersOfTheTextAsWritten() throws {
        #expect(try Self.found(.search("s", .beginsWith, lengths: 0...6)) == [3])
    }

    @Test(arguments: ["", "\u{301}"])
    func aTextOfNoLettersIsNoSearch(text: String) {
        #expect(Filter.search(text) == nil)
    }

    /// A date that is stored as a text, too: Zurich is an hour ahead of UTC in January.
    @Test(arguments: [
        ("2026-01-01 01", [0, 1]), ("2026-01-01 00", []), ("2025-12", [2]),
        ("2026-01-01T00", [1]),
    ])
    func datesBeginWithWhatTheClockOfTheListShows(text: String, ids: [Int64]) throws {
        let cells: [Cell] = [
            .integer(1_767_225_600), .text("2026-01-01T00:30:00Z"), .text("2025-12-31 22:59:59Z"),
        ]
        let list = ListDescription(
            columns: [ColumnDescription(name: "at", type: .date)], timeZone: "Europe/Zurich")
        let rows = Dictionary(
            uniqueKeysWithValues: cells.enumerated().map { (Int64($0.offset), [$0.element]) })
        let query = try ListQuery(
            of: list, conditions: [Condition(column: "at", .beginsWith, [.text(text)])])
        let model = ModelList(list, rows: rows)
        let found = try Snapshot(of: model).opening(query.specification).rows(query.specification)
        #expect(found.rowIDs.sorted() == ids && query.arrangement(of: model).rows.sorted() == ids)
    }

    /// Texts are stored back to back.
    @Test(arguments: [("bc", [2]), ("ab", [0]), ("cd", [1]), ("abc", []), ("d", [1]), ("da", [])])
    func aNeedleIsNotFoundAcrossTwoTexts(text: String, ids: [Int64]) throws {
        let texts = ["ab", "cd", "bc", "a"].map(Cell.text)
        #expect(try Self.found(.search(text), in: texts, isFlat: false) == ids)
    }

    @Test func aCancelledSearchEnds() throws {
        let specification = ArrangementSpecification(
            sectionColumn: nil, expression: .none, filter: Filter.search("b"))
        let snapshot = Snapshot(of: ModelList(texts: ["BMW"]))
        #expect(throws: CancellationError.self) {
            try snapshot.building(specification, isCancelled: { true })
        }
        #expect(try snapshot.building(specification).last?.rowCount == 1)
    }

    /// Every 4,096 slots of the scan and every 1,024 leaves of the base: well within 5 ms.
    @Test func aLongSearchKeepsAskingWhetherAnyoneWaits() throws {
        let rows = 30 * ColumnChunk.slots
        let snapshot = try Snapshot(of: ModelList(texts: (0..<rows).map { "BMW \($0 % 7)" }))
            .opening(.rows)
        var specification = ArrangementSpecification.rows
        specification.filter = Filter.search("w 3")
        let least = rows / ColumnChunk.slots + rows / Limits.rowsPerLeaf / 1_024
        try expectChecks(atLeast: least, trials: .max) {
            _ = try snapshot.building(specification, isCancelled: $0)
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

/// Finding a needle, and what it costs.
@Suite struct TextFinderTests {
    /// All places of `needle` in `text`.
    private func places(
        of needle: [UInt8], in text: [UInt8]
    ) -> (places: [Int], comparedInVain: Int) {
        needle.withUnsafeBytes { needle in
            text.withUnsafeBytes { text in
                var finder = TextFinder(needle)
                var (found, place): ([Int], Int) = ([], 0)
                while let next = finder.find(in: text, from: place) {
                    found.append(next)
                    place = next + 1
                }
                return (found, finder.comparedInVain)
            }
        }
    }

    /// Few letters, so that texts nearly match all the time.
    @Test(arguments: 1...40) func everyPlaceIsFound(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let letters = Int.random(in: 1...3, using: &numbers)
        func text(_ most: Int) -> [UInt8] {
            let count = Int.random(in: 1...most, using: &numbers)
            return (0..<count).map { _ in UInt8(0x61 + Int.random(in: 0..<letters, using: &numbers))
            }
        }
        let haystack = text(2_000)
        for _ in 0..<20 {
            var needle = text(60)
            if Bool.random(using: &numbers), needle.count <= haystack.count {
                let start = Int.random(in: 0...haystack.count - needle.count, using: &numbers)
                needle = Array(haystack[start..<start + needle.count])
            }
            let naive = haystack.indices.filter { haystack[$0...].starts(with: needle) }
            #expect(places(of: needle, in: haystack).places == naive, "seed \(seed)")
        }
    }

    /// Each place of such a text matches nearly to the needle's end.
    @Test func textsThatNearlyMatchCostNoMoreThanTheirLength() {
        let needle = Array(repeating: UInt8(0x61), count: 2_000) + [0x62]
        let text = Array(repeating: UInt8(0x61), count: 100_000) + needle
        let (places, comparedInVain) = places(of: needle, in: text)
        #expect(places == [100_000])
        #expect(comparedInVain <= 4 * (text.count + needle.count) + needle.count)
    }

    @Test func aWordThatEndsInAnotherTextIsFoundInNeither() throws {
        let long = String(repeating: "a", count: 4_000)
        let texts = [long, "A", "aA", long + "b", "Aa", "b", long.uppercased()]
        let cache = ColumnCache.reading(ModelList(texts: texts))
        for count in [1, 2, 3, 3_999, 4_000, 4_001] {
            let needle = String(repeating: "a", count: count)
            for needle in [needle, needle + "b", "b" + needle] {
                let filter = Filter.search(needle)!
                let found = try filter.scan(cache) { false }
                let expected = texts.indices.filter { texts[$0].lowercased().contains(needle) }
                #expect(texts.indices.filter { found.contains(UInt32($0)) } == expected)
            }
        }
    }

    /// 1,000 texts of 4 KiB are one chunk of a dictionary, and four million bytes.
    @Test(arguments: [nil, 0...10_000])
    func whetherAnyoneWaitsIsAskedByBytes(lengths: ClosedRange<Int>?) throws {
        let rest = String(repeating: "a", count: 4_000)
        let cache = ColumnCache.reading(
            ModelList(texts: (0..<1_000).map { "\(1_000 + $0)" + rest }))
        let filter = Filter.search("b", lengths: lengths)!
        try expectChecks(atLeast: 4_000_000 / (256 << 10)) {
            _ = try filter.scan(cache, isCancelled: $0)
        }
    }
}
