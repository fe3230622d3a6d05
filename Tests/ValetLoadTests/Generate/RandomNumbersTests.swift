import Testing

@testable import ValetLoad

@Test func numbersStayBelowTheirBound() {
    for bound in [1, 2, 7, 801, 1 << 30] {
        var numbers = RandomNumbers(seed: 5, index: bound)
        for _ in 0..<1_000 { #expect((0..<bound).contains(numbers.below(bound))) }
    }
}

@Test func eachSeedAndIndexHasNumbersOfItsOwn() {
    var seen: Set<UInt64> = []
    for seed in UInt64(0)..<40 {
        for index in 0..<40 {
            var numbers = RandomNumbers(seed: seed, index: index)
            for _ in 0..<4 { seen.insert(numbers.next()) }
        }
    }
    #expect(seen.count == 40 * 40 * 4)
}

@Test func valuesComeAsOftenAsTheyWeigh() {
    let weighted = Weighted([
        (value: "a", weight: 1), (value: "b", weight: 8), (value: "c", weight: 1),
    ])
    var numbers = RandomNumbers(seed: 3, index: 0)
    let picked = (0..<10_000).map { _ in weighted.pick(with: &numbers) }
    #expect((7_700...8_300).contains(picked.count { $0 == "b" }))
    #expect((850...1_150).contains(picked.count { $0 == "a" }))
    #expect((850...1_150).contains(picked.count { $0 == "c" }))
}

@Test func nothingToPickFromTraps() async {
    await #expect(processExitsWith: .failure) { _ = Weighted<Int>([]) }
    await #expect(processExitsWith: .failure) { _ = Weighted([(value: 1, weight: 0)]) }
}
