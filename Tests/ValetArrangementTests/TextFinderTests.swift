import Testing
import ValetModel

@testable import ValetArrangement

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
