import DequeModule
import ValetModel

/// Commands that wait for the writer. Payers take turns, one command each; so do the clients of one
/// payer, and a client's own commands keep their order. So whoever sends without end, on however
/// many connections, delays only themselves.
struct CommandQueue<Command> {
    private struct Waiting {
        let command: Command
        let rows: Int
    }

    /// Never empty.
    private var lines: [Payer: Rotation<WorkOwner, Waiting>] = [:]
    /// Each of those who wait, once.
    private var turns: Deque<Payer> = []

    /// Commands that wait.
    private(set) var count = 0
    /// What a command has taken lately; nil before the first.
    private var timePerCommand: Duration?

    func count(of payer: Payer) -> Int { lines[payer]?.count ?? 0 }

    /// Why another command is not taken, and when half of those that wait will have been carried
    /// out; nil if it is taken. Half of the places are left to others than the principal with the
    /// most.
    func refusal(of owner: WorkOwner) -> ValetError? {
        let (most, own) = (Limits.commandsWaiting, Limits.commandsWaitingOfOne)
        if let name = owner.principal, count(of: owner.payer) >= own {
            return ValetError(
                .busy, "\(own) commands of “\(name)” are waiting already: try again later",
                retryAfter: timeForHalf)
        }
        guard count >= most else { return nil }
        return ValetError(
            .busy, "\(most) commands are waiting already: try again later",
            retryAfter: timeForHalf)
    }

    private var timeForHalf: Duration? { timePerCommand.map { $0 * (count / 2) } }

    /// So many commands, which were taken out together, have ended after this time.
    mutating func ended(_ commands: Int, after time: Duration) {
        guard commands > 0 else { return }
        let each = time / commands
        // What was long ago fades.
        timePerCommand = timePerCommand.map { ($0 * 3 + each) / 4 } ?? each
    }

    /// - Parameter rows: that the command changes, about.
    mutating func add(_ command: Command, rows: Int, for owner: WorkOwner) {
        if lines[owner.payer] == nil { turns.append(owner.payer) }
        let waiting = Waiting(command: command, rows: rows)
        lines[owner.payer, default: Rotation()].append(waiting, for: owner)
        count += 1
    }

    /// Takes out what goes into the next transaction: at most so many commands and rows, but at
    /// least one command.
    mutating func takeBatch(commands: Int, rows: Int) -> [Command] {
        var batch: [Command] = []
        var rowsLeft = rows
        while batch.count < commands, let payer = turns.first, let next = lines[payer]?.first,
            batch.isEmpty || next.rows <= rowsLeft
        {
            batch.append(next.command)
            rowsLeft -= next.rows
            turns.removeFirst()
            _ = lines[payer]?.popFirst()
            if lines[payer]?.isEmpty == true { lines[payer] = nil } else { turns.append(payer) }
        }
        count -= batch.count
        return batch
    }

    /// A client has left: what it sent and nobody has begun with is dropped.
    mutating func removeAll(of owner: WorkOwner) {
        guard let before = lines[owner.payer]?.count else { return }
        lines[owner.payer]?.removeAll(of: owner)
        count -= before - count(of: owner.payer)
        guard lines[owner.payer]?.isEmpty == true else { return }
        lines[owner.payer] = nil
        turns.removeAll { $0 == owner.payer }
    }

    mutating func removeAll() -> [Command] {
        defer { (lines, turns, count) = ([:], [], 0) }
        return turns.flatMap { payer in (lines[payer]?.elements ?? []).map(\.command) }
    }
}
