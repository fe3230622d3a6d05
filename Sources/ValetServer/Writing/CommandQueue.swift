import Collections

/// Commands that wait for the writer. Clients take turns, one command each, and a client's own
/// commands keep their order: one that sends without end delays only itself.
struct CommandQueue<Command> {
    private struct Waiting {
        let command: Command
        let rows: Int
    }

    /// Never empty queues.
    private var queues: [WorkOwner: Deque<Waiting>] = [:]
    /// Each of those who wait, once.
    private var turns: Deque<WorkOwner> = []

    /// Commands that wait.
    private(set) var count = 0

    /// - Parameter rows: that the command changes, about.
    mutating func add(_ command: Command, rows: Int, for owner: WorkOwner) {
        if queues[owner] == nil { turns.append(owner) }
        queues[owner, default: []].append(Waiting(command: command, rows: rows))
        count += 1
    }

    /// Takes out what goes into the next transaction: at most so many commands and rows, but at
    /// least one command.
    mutating func takeBatch(commands: Int, rows: Int) -> [Command] {
        var batch: [Command] = []
        var rowsLeft = rows
        while batch.count < commands, let owner = turns.first, let next = queues[owner]?.first,
            batch.isEmpty || next.rows <= rowsLeft
        {
            batch.append(next.command)
            rowsLeft -= next.rows
            turns.removeFirst()
            queues[owner]?.removeFirst()
            if queues[owner]?.isEmpty == true { queues[owner] = nil } else { turns.append(owner) }
        }
        count -= batch.count
        return batch
    }

    /// A client has left: what it sent and nobody has begun with is dropped.
    mutating func removeAll(of owner: WorkOwner) {
        guard let waiting = queues.removeValue(forKey: owner) else { return }
        count -= waiting.count
        turns.removeAll { $0 == owner }
    }

    mutating func removeAll() -> [Command] {
        defer { (queues, turns, count) = ([:], [], 0) }
        return turns.flatMap { owner in queues[owner]?.map(\.command) ?? [] }
    }
}
