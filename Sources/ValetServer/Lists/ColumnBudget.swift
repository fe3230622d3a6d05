import Synchronization
import ValetModel

/// Limits the bytes that the columns of all lists take together. Columns that were read in stay, so
/// without a limit a client could fill the memory by asking for one column after another.
final class ColumnBudget: Sendable {
    private let limit: Int
    private let taken = Atomic(0)

    init(limit: Int = Limits.bytesOfColumns) {
        self.limit = limit
    }

    /// Of all lists, including readings in progress.
    var bytesTaken: Int { taken.load(ordering: .relaxed) }

    /// The bytes of one reading, on however many threads.
    final class Share: Sendable {
        private let budget: ColumnBudget
        private let taken = Atomic(0)

        fileprivate init(of budget: ColumnBudget) {
            self.budget = budget
        }

        func take(_ bytes: Int) throws(ValetError) {
            taken.add(bytes, ordering: .relaxed)
            let all = budget.taken.wrappingAdd(bytes, ordering: .relaxed).newValue
            guard all <= budget.limit else {
                throw .limit("bytes of columns in memory", is: budget.limit, asked: all)
            }
        }

        func giveBack() {
            let bytes = taken.exchange(0, ordering: .relaxed)
            budget.taken.subtract(bytes, ordering: .relaxed)
        }

        fileprivate func settle(_ bytes: Int) throws(ValetError) {
            try take(bytes - taken.load(ordering: .relaxed))
        }
    }

    /// Columns that were read in are freed.
    func giveBack(_ bytes: Int) {
        taken.subtract(bytes, ordering: .relaxed)
    }

    /// Runs a reading, which takes bytes as it grows. Afterwards the size of its result is charged,
    /// or nothing if it failed.
    func reading<Read>(
        size: (Read) -> Int, _ body: (Share) throws(ValetError) -> Read
    ) throws(ValetError) -> Read {
        let share = Share(of: self)
        do throws(ValetError) {
            let read = try body(share)
            try share.settle(size(read))
            return read
        } catch {
            share.giveBack()
            throw error
        }
    }
}
