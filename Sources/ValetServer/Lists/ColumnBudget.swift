import Synchronization
import ValetModel

/// Bytes that the columns of all lists may take together: what was read in stays, so whoever asks
/// for column after column of large tables must meet an end.
final class ColumnBudget: Sendable {
    private let limit: Int
    private let taken = Atomic(0)

    init(limit: Int = Limits.bytesOfColumns) {
        self.limit = limit
    }

    /// Of all lists, those that are being read in counted.
    var bytesTaken: Int { taken.load(ordering: .relaxed) }

    /// What one reading-in takes, on however many threads.
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

    /// Reads in with `body`, which takes what it needs as it grows. In the end the size of what was
    /// read counts, or nothing if that failed.
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
