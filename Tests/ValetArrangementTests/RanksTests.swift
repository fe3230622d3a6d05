import Testing
import ValetModel

@testable import ValetArrangement

/// Ranks of values that no number orders, against the standard library's order of them.
@Suite struct RanksTests {
    /// Texts that begin alike for long, end inside of one another, have bytes of 0, and come again
    /// in other spellings.
    private static func texts(_ random: inout SeededNumbers) -> [String] {
        let beginnings = ["", "a", "https://example.org/", "https://example.org/things/é/", "\0"]
        let parts = ["", "a", "A", "\0", "\0\0", "ab", "/things", "é", "x\u{301}", "1234567"]
        return (0..<Int.random(in: 1...3_000, using: &random)).map { _ in
            let count = Int.random(in: 0...4, using: &random)
            return (0..<count).reduce(beginnings.randomElement(using: &random)!) { text, _ in
                text + parts.randomElement(using: &random)!
            }
        }
    }

    private static func column(_ texts: [String], _ type: ColumnType) -> Column {
        cache(texts, type).column(0)
    }

    private static func cache(_ texts: [String], _ type: ColumnType) -> ColumnCache {
        .reading(ModelList(texts.map(Cell.text), type: type))
    }

    @Test(arguments: UInt64(1)...4, [false, true])
    func textsHaveTheRanksOfTheirFoldedBytes(seed: UInt64, isDescending: Bool) throws {
        var random = SeededNumbers(seed: seed, index: 1)
        try expectRanks(of: Self.texts(&random), isDescending: isDescending, seed: seed)
    }

    /// The fewer different bytes there are, the more of them stand in one word: 64 of one, and
    /// seven of all that texts can have.
    @Test(arguments: [1, 2, 3, 15, 16, 37, 100, 5_000])
    func textsOfAnyAlphabetHaveTheRanksOfTheirBytes(size: UInt32) throws {
        var random = SeededNumbers(seed: 1, index: Int(size))
        let texts = (0..<3_000).map { _ in
            let length = Int.random(in: 1...70, using: &random)
            let begin = Int.random(in: 0...length, using: &random)
            return String(
                String.UnicodeScalarView(
                    (0..<length).map { place in
                        let letter = place < begin ? 0 : UInt32.random(in: 0..<size, using: &random)
                        return Unicode.Scalar(0x61 + letter)!
                    }))
        }
        try expectRanks(of: texts, isDescending: false, seed: 1)
    }

    private func expectRanks(of texts: [String], isDescending: Bool, seed: UInt64) throws {
        let column = Self.column(texts, .text)
        let dictionary = column.dictionary
        let folded = (0..<dictionary.count).map { code in
            dictionary.withFolded(UInt32(code)) { Array($0) }!
        }
        let distinct = Set(folded).sorted { $0.lexicographicallyPrecedes($1) != isDescending }
        let places = Dictionary(uniqueKeysWithValues: zip(distinct, 0...))
        let ranks = try Ranks(
            codesOf: column, withNumbers: true, isDescending: isDescending, isCancelled: { false })
        #expect(ranks.table.map(Int.init) == folded.map { places[$0] }, "seed \(seed)")
        #expect(ranks.count == distinct.count, "seed \(seed)")
    }

    /// Numbers, then texts, then blobs by size; texts that are too many to compare all.
    @Test(arguments: [false, true])
    func codesOfAllKindsHaveTheRanksOfTheirValues(isDescending: Bool) throws {
        let cells: [Cell] =
            (0..<3_000).map { .text("text \($0 * 7 % 3_000)") }
            + (0..<50).map { .integer($0 * 7 % 50) } + (0..<50).map { .real(Double($0) + 0.5) }
            + (0..<9).map { .blob(bytes: [], byteCount: $0 * 7 % 9) }
        let column = ColumnCache.reading(ModelList(cells)).column(0)
        let ranks = try Ranks(
            codesOf: column, withNumbers: true, isDescending: isDescending, isCancelled: { false })
        let codes = (0..<UInt32(column.dictionary.count)).sorted {
            column.compare(column.value(of: $0), column.value(of: $1), isDescending: isDescending)
                < 0
        }
        #expect(codes.map { ranks.table[Int($0)] } == Array(0..<UInt32(codes.count)))
        #expect(ranks.count == codes.count)
    }

    @Test(arguments: UInt64(1)...4)
    func itemsHaveTheRanksOfTheirOrder(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed, index: 2)
        let values = (0..<Int.random(in: 1...20_000, using: &random)).map { _ in
            Int.random(in: 0..<5_000, using: &random)
        }
        let places = Dictionary(uniqueKeysWithValues: zip(Set(values).sorted(), 0...))
        let ranks = try Ranks(count: values.count, isCancelled: { false }) {
            values[Int($0)] - values[Int($1)]
        }
        #expect(ranks.table.map(Int.init) == values.map { places[$0] }, "seed \(seed)")
        #expect(ranks.count == places.count, "seed \(seed)")
    }

    /// After the first word, too few are alike in it for a radix sort, which asks by itself.
    @Test func aCancelledSortOfTextsEnds() throws {
        let count = 60_000
        let texts = (0..<count).map { number in
            "\(100 + number % 100)" + String(repeating: "example ", count: 12)
                + "\(number * 7_919 % count)"
        }
        let column = Self.column(texts, .text)
        // Sixteen bytes at most stand in a word: each of six is read and compared.
        let reading = 6 * 2 * count / CancellationCheck.stepsPerCheck
        try expectChecks(atLeast: column.dictionary.chunkCount + reading) {
            isCancelled in
            _ = try TextSort.sorted(column.dictionary, isCancelled: isCancelled)
        }
    }

    @Test(arguments: [ColumnType.text, .integer])
    func theCancelledMakingOfKeysEnds(type: ColumnType) throws {
        let rows = 8 * ColumnChunk.slots
        let column = Self.column((0..<rows).map { "\($0)" }, type)
        let order = try SortKeyCoder(
            column, slotCount: rows, isDescending: false, isCancelled: { false })
        let sections = try SectionKeyCoder(
            column, .firstLetter, zone: nil, isDescending: false, isCancelled: { false })
        for coder in [order, sections] as [any KeyCoder] {
            try expectChecks(atLeast: 8) { isCancelled in
                try coder.forEachKey(isCancelled: isCancelled) { _, _ in }
            }
        }
    }

    @Test func aCancelledSortByComparisonEnds() throws {
        let count = 60_000
        // Any sort of so many, the ranks aside, has to compare that often.
        try expectChecks(atLeast: 12 * count / CancellationCheck.stepsPerCheck) {
            isCancelled in
            _ = try Ranks(count: count, isCancelled: isCancelled) {
                Int($0) * 7_919 % 60_013 - Int($1) * 7_919 % 60_013
            }
        }
    }

    /// One text among numbers, and texts that begin alike, as a grouping, a sort and sections by
    /// less than the value.
    @Test(
        arguments: [SectionExpression.wholeValue, .firstLetter, .day], [ColumnType.text, .integer])
    func aCancelledArrangementEnds(expression: SectionExpression, type: ColumnType) throws {
        let rows = 8 * ColumnChunk.slots
        let cells = (0..<rows).map { id in
            let isText = type == .text || id == 5
            return isText
                ? Cell.text("https://example.org/\(id)") : .integer(Int64(id * 7_919 % rows))
        }
        let specification = ArrangementSpecification(
            sectionColumn: 0, expression: expression, rowOrder: [SortKey(column: 0)])
        let cache = ColumnCache.reading(ModelList(cells, type: type))
        // Each chunk is looked at for a summary or by its dictionary, and for its keys.
        try expectChecks(atLeast: 2 * rows / ColumnChunk.slots) {
            isCancelled in
            _ = try Arrangement(
                sorting: cache, by: specification, numbers: LeafNumbers(), isCancelled: isCancelled)
        }
    }

    @Test func progressOfSortingIsReported() throws {
        let cache = Self.cache((0..<5_000).map { "text \($0 % 700)" }, .text)
        let orders: [ArrangementSpecification] = [
            .rows, .byValue,
            ArrangementSpecification(
                sectionColumn: 0, expression: .wholeValue, rowOrder: [SortKey(column: 0)]),
            ArrangementSpecification(
                sectionColumn: 0, expression: .firstLetter, rowOrder: [SortKey(column: 0)]),
        ]
        for specification in orders {
            var told: [Double] = []
            _ = try Arrangement(
                sorting: cache, by: specification, numbers: LeafNumbers(),
                progress: { told.append($0) })
            #expect(told.count >= 2)
            #expect(told == told.sorted() && told[0] > 0 && told.last! < 1)
        }
    }
}
