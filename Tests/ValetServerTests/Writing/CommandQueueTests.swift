import Testing

@testable import ValetServer

/// Which commands go together, as transcripts: a command is its own name.
@Suite struct CommandQueueTests {
    private let busy = WorkOwner(number: 1)
    private let calm = WorkOwner(number: 2)
    private var queue = CommandQueue<String>()

    private mutating func add(_ names: String..., rows: Int = 1, for owner: WorkOwner) {
        for name in names { queue.add(name, rows: rows, for: owner) }
    }

    @Test mutating func clientsTakeTurnsAndKeepTheirOrder() {
        add("b1", "b2", "b3", for: busy)
        add("c1", "c2", for: calm)
        #expect(queue.takeBatch(commands: 3, rows: 100) == ["b1", "c1", "b2"])
        add("c3", for: calm)
        #expect(queue.takeBatch(commands: 9, rows: 100) == ["c2", "b3", "c3"])
        #expect(queue.count == 0)
        #expect(queue.takeBatch(commands: 9, rows: 100) == [])
    }

    @Test mutating func principalsTakeTurnsHoweverManyConnectionsTheyHave() {
        let flood = (1...50).map { WorkOwner(number: $0, principal: "flood") }
        for (place, owner) in flood.enumerated() { add("f\(place)", for: owner) }
        add("g0", for: flood[0])
        let ana = WorkOwner(number: 51, principal: "ana")
        add("a1", "a2", for: ana)
        add("c1", for: calm)
        #expect(queue.count(of: flood[0].payer) == 51)
        #expect(queue.takeBatch(commands: 6, rows: 100) == ["f0", "a1", "c1", "f1", "a2", "f2"])
        for owner in flood[3...] { queue.removeAll(of: owner) }
        #expect(queue.count(of: flood[0].payer) == 1 && queue.count == 1)
        #expect(queue.takeBatch(commands: 6, rows: 100) == ["g0"])
        #expect(queue.count == 0)
    }

    @Test mutating func onePrincipalLeavesHalfOfThePlacesToOthers() {
        let flood = (1...50).map { WorkOwner(number: $0, principal: "flood") }
        let ana = WorkOwner(number: 51, principal: "ana")
        for place in 0..<2_047 { add("f", for: flood[place % 50]) }
        #expect(queue.refusal(of: flood[0]) == nil)
        add("f", for: flood[0])
        #expect(queue.refusal(of: flood[1])?.message.contains("2048 commands of “flood”") == true)
        #expect(queue.refusal(of: ana) == nil)
        // Without principals there is one limit for all.
        for _ in 0..<2_047 { add("c", for: calm) }
        #expect(queue.refusal(of: calm) == nil && queue.refusal(of: ana) == nil)
        add("c", for: calm)
        #expect(queue.refusal(of: calm)?.code == .busy && queue.refusal(of: ana)?.code == .busy)
    }

    @Test mutating func whoIsRefusedHearsWhenHalfIsDone() {
        for _ in 0..<4_096 { add("c", for: calm) }
        #expect(queue.refusal(of: calm)?.retryAfter == nil)
        queue.ended(100, after: .milliseconds(200))
        #expect(queue.refusal(of: calm)?.retryAfter == .milliseconds(4_096))
        // A slow batch counts for a quarter.
        queue.ended(1, after: .milliseconds(10))
        #expect(queue.refusal(of: busy)?.retryAfter == .milliseconds(8_192))
        queue.ended(0, after: .seconds(9))
        #expect(queue.refusal(of: busy)?.retryAfter == .milliseconds(8_192))
    }

    @Test mutating func aBatchHasAtMostSoManyRows() {
        add("b1", "b2", rows: 60, for: busy)
        add("c1", rows: 40, for: calm)
        #expect(queue.takeBatch(commands: 9, rows: 100) == ["b1", "c1"])
        #expect(queue.takeBatch(commands: 9, rows: 100) == ["b2"])
    }

    @Test mutating func aCommandOfManyRowsGoesAlone() {
        add("b1", rows: 10_000, for: busy)
        add("c1", for: calm)
        #expect(queue.takeBatch(commands: 9, rows: 100) == ["b1"])
        #expect(queue.takeBatch(commands: 9, rows: 100) == ["c1"])
    }

    @Test mutating func theQueueDropsCommandsOfAClientThatLeft() {
        add("b1", "b2", for: busy)
        add("c1", for: calm)
        queue.removeAll(of: busy)
        queue.removeAll(of: busy)
        #expect(queue.takeBatch(commands: 9, rows: 100) == ["c1"])
        add("b3", for: busy)
        #expect(queue.removeAll() == ["b3"])
        #expect(queue.count == 0)
    }
}
