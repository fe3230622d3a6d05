import NIOCore
import ValetArrangement
import ValetModel

/// Columns that surveys need in memory, read in like those of arrangements.
extension ListKeeper {
    /// A survey that waits for columns.
    struct ColumnWait {
        let columns: Set<Int>
        let waiter: Waiter
    }

    /// Answered once the snapshot has the columns.
    mutating func columnsAsked(
        _ columns: Set<Int>, by waiter: Waiter, at now: NIODeadline
    ) -> [KeeperAction] {
        if missing(columns)?.isEmpty == true { return [.answer(ticket: waiter.ticket, nil)] }
        columnWaits.append(ColumnWait(columns: columns, waiter: waiter))
        return read(at: now)
    }

    mutating func columnsLeft(ticket: UInt64) -> [KeeperAction] {
        guard let place = columnWaits.firstIndex(where: { $0.waiter.ticket == ticket }) else {
            return []
        }
        columnWaits.remove(at: place)
        return cancelReading()
    }

    /// Answers the waits whose columns are loaded.
    mutating func answerColumnWaits() -> [KeeperAction] {
        endColumnWaits(nil) { $0?.isEmpty == true }
    }

    /// Fails the waits whose columns are not loaded.
    mutating func failColumnWaits(_ error: ValetError) -> [KeeperAction] {
        endColumnWaits(error) { $0?.isEmpty != true }
    }

    /// - Parameter isOver: takes the missing columns, nil before the list was read in.
    private mutating func endColumnWaits(
        _ error: ValetError?, _ isOver: ([Int]?) -> Bool
    ) -> [KeeperAction] {
        let over = columnWaits.filter { isOver(missing($0.columns)) }
        columnWaits.removeAll { wait in
            over.contains { $0.waiter.ticket == wait.waiter.ticket }
        }
        return over.map { .answer(ticket: $0.waiter.ticket, error) }
    }
}
