import Testing
import ValetModel

@Test func numbersStayBelowTheirBound() {
    for bound in [1, 2, 7, 801, 1 << 30] {
        var numbers = SeededNumbers(seed: 5, index: bound)
        for _ in 0..<1_000 { #expect((0..<bound).contains(numbers.below(bound))) }
    }
}

@Test func eachSeedAndIndexHasNumbersOfItsOwn() {
    var seen: Set<UInt64> = []
    for seed in UInt64(0)..<40 {
        for index in 0..<40 {
            var numbers = SeededNumbers(seed: seed, index: index)
            for _ in 0..<4 { seen.insert(numbers.next()) }
        }
    }
    #expect(seen.count == 40 * 40 * 4)
}

/// Fleets and scripted people are compared between machines and releases.
@Test func numbersAreTheSameEverywhere() {
    var numbers = SeededNumbers(seed: 1_234_567)
    #expect(
        (0..<3).map { _ in numbers.next() } == [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        ])
}
