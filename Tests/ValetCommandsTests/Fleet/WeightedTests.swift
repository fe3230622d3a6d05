import Testing
import ValetModel

@testable import ValetCommands

@Test func valuesComeAsOftenAsTheyWeigh() {
    let weighted = Weighted([
        (value: "a", weight: 1), (value: "b", weight: 8), (value: "c", weight: 1),
    ])
    var numbers = SeededNumbers(seed: 3, index: 0)
    let picked = (0..<10_000).map { _ in weighted.pick(with: &numbers) }
    #expect((7_700...8_300).contains(picked.count { $0 == "b" }))
    #expect((850...1_150).contains(picked.count { $0 == "a" }))
    #expect((850...1_150).contains(picked.count { $0 == "c" }))
}

@Test func nothingToPickFromTraps() async {
    await #expect(processExitsWith: .failure) { _ = Weighted<Int>([]) }
    await #expect(processExitsWith: .failure) { _ = Weighted([(value: 1, weight: 0)]) }
}
