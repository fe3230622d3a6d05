import Testing

@testable import ValetServer

@Suite struct ListsBehindTests {
    private var behind = ListsBehind(listCount: 3)

    /// The lists that are told; those of `slow` stay behind.
    private mutating func told(_ revision: UInt64, slow: Set<Int> = []) -> [Int] {
        var told: [Int] = []
        behind.looked(at: revision) { list, asked in
            #expect(asked == revision)
            told.append(list)
            return slow.contains(list)
        }
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
