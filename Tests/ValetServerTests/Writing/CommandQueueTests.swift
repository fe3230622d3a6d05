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
