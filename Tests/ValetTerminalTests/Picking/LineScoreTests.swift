import TestSupport
import Testing
import ValetModel

@testable import ValetTerminal

@Suite struct LineScoreTests {
    private static func score(_ line: String, _ term: String) -> Int? {
        var bonuses: [UInt8] = []
        LineScore.addBonuses(of: line.utf8, to: &bonuses)
        let folded = TextFolding.fold(line)
        let padded = folded + Array(term.utf8) + Array(repeating: 0, count: 8)
        return padded.withUnsafeBufferPointer { padded in
            bonuses.withUnsafeBufferPointer { bonuses in
                Array(term.utf8).withUnsafeBufferPointer { term in
                    LineScore.Scratch.with(longest: LineChunk.bytesLookedAt) { scratch in
                        let line = UnsafeBufferPointer(rebasing: padded[..<folded.count])
                        return LineScore.fuzzy(
                            term, in: LineScore.Line(folded: line, bonuses: bonuses), scratch)
                    }
                }
            }
        }
    }

    /// What fzf's own tests expect of its second algorithm.
    @Test(arguments: [
        ("fooBarbaz1", "obz", 16 * 3 + 7 - 3 - 3 * 1 * 0 - 3 - 1 * 0),
        ("foo bar baz", "fbb", 16 * 3 + 10 * 2 + 10 * 2 - 3 * 2 - 4),
        ("/AutomatorDocument.icns", "rdoc", 16 * 4 + 7 + 4 * 2),
        ("/man1/zshcompctl.1", "zshc", 16 * 4 + 9 * 2 + 9 * 3),
        ("/.oh-my-zsh/cache", "zshc", 16 * 4 + 8 * 2 + 8 * 2 - 3 + 9),
        ("ab0123 456", "12356", 16 * 5 + 4 * 3 - 3 - 1),
        ("foo/bar/baz", "fbb", 16 * 3 + 10 * 2 + 9 * 2 - 3 * 2 - 4),
        ("fooBarBaz", "fbb", 16 * 3 + 10 * 2 + 7 * 2 - 3 * 2 - 2),
        ("foo barbaz", "fbb", 16 * 3 + 10 * 2 + 10 - 3 * 2 - 3),
        ("fooBar Baz", "foob", 16 * 4 + 10 * 2 + 10 * 3),
        ("xFoo-Bar Baz", "foo-b", 16 * 5 + 7 * 2 + 7 * 2 + 8 + 8),
    ])
    func aScoreIsFzfs(line: String, term: String, score: Int) {
        #expect(Self.score(line, term) == score)
    }

    /// fzf's algorithm to the letter: each letter of the term is a row, each byte a column.
    private static func model(_ line: String, _ term: String) -> Int? {
        let (folded, letters) = (TextFolding.fold(line), Array(term.utf8))
        var bonuses: [UInt8] = []
        LineScore.addBonuses(of: line.utf8, to: &bonuses)
        var firsts: [Int] = []
        for letter in letters {
            let rest = folded.indices.dropFirst((firsts.last ?? -1) + 1)
            guard let first = rest.first(where: { folded[$0] == letter }) else { return nil }
            firsts.append(first)
        }
        var scores = [[Int]](
            repeating: [Int](repeating: 0, count: folded.count), count: letters.count)
        var runs = scores
        for row in letters.indices {
            var isInGap = false
            for place in firsts[row]..<folded.count {
                let left = place > firsts[row] ? scores[row][place - 1] : 0
                let gap = left + (isInGap ? LineScore.gapExtension : LineScore.gapStart)
                guard folded[place] == letters[row] else {
                    isInGap = gap > 0
                    scores[row][place] = max(gap, 0)
                    continue
                }
                let own = Int(bonuses[place])
                guard row > 0 else {
                    (scores[row][place], runs[row][place]) = (16 + 2 * own, 1)
                    isInGap = false
                    continue
                }
                var (bonus, run) = (own, runs[row - 1][place - 1] + 1)
                if run > 1 {
                    let atStart = Int(bonuses[place - run + 1])
                    if bonus >= 8, bonus > atStart {
                        run = 1
                    } else {
                        bonus = max(bonus, 4, atStart)
                    }
                }
                var hit = scores[row - 1][place - 1] + 16
                if hit + bonus < gap {
                    (hit, run) = (hit + own, 0)
                } else {
                    hit += bonus
                }
                isInGap = hit < gap
                (scores[row][place], runs[row][place]) = (max(hit, gap), run)
            }
        }
        return scores.last?.max()
    }

    @Test(arguments: runSeeds(20)) func aScoreIsTheMatrixes(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        func text(_ most: Int, of letters: String) -> String {
            let letters = Array(letters)
            return String(
                (0..<1 + numbers.below(most)).map { _ in letters[numbers.below(letters.count)] })
        }
        var found = 0
        for _ in 0..<400 {
            let line = text(numbers.below(4) == 0 ? 200 : 30, of: "aabbccABC/ -_1")
            let term = text(6, of: "aabbcc/1-")
            let score = Self.model(line, term)
            #expect(Self.score(line, term) == score, "VALET_SEED=\(seed): \(term) in \(line)")
            if score != nil { found += 1 }
        }
        #expect(found > 100)
    }

    /// Only so much of a line is looked at.
    @Test func aLineLongerThanTheMemoryIsCut() {
        let blanks = String(repeating: " ", count: LineChunk.bytesLookedAt - 1)
        #expect(Self.score(blanks + "ab", "a") != nil)
        #expect(Self.score(blanks + "ab", "ab") == nil)
        #expect(Self.score("", "a") == nil && Self.score("a", "aa") == nil)
    }
}
