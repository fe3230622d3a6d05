import Testing

@testable import ValetServer

@Suite struct ListsBehindTests {
    private var behind = ListsBehind(listCount: 3)

    /// The lists that are told; those of `slow` stay behind.
    private mutating func told(_ revision: UInt64, slow: Set<Int> = []) -> [Int] {
        let told = behind.looked(at: revision)
        behind.stay(told.filter(slow.contains))
        return told
    }

    @Test mutating func aFileThatRestsIsToldToNobody() {
        #expect(told(0) == [])
        #expect(told(1) == [0, 1, 2])
        #expect(told(1) == [])
    }

    @Test mutating func aListIsToldUntilItHasTheRevision() {
        #expect(told(1, slow: [0, 2]) == [0, 1, 2])
        #expect(told(1, slow: [2]) == [0, 2])
        #expect(told(1) == [2])
        #expect(told(1) == [])
        #expect(told(2, slow: [1]) == [0, 1, 2])
        #expect(told(3) == [0, 1, 2])
    }
}
