import ValetModel

import struct Synchronization.Atomic

/// Limits the bytes that all lists of a file take together: their columns and arrangements, and
/// what is being read and sorted for them. Without a limit a client could fill the memory by asking
/// for one column after another.
///
/// What a list has is charged after each of its events. What a thread makes for a list is charged
/// while it grows, and given back once the list has taken it.
final class MemoryBudget: Sendable {
    let limit: Int
    private let taken = Atomic(0)
    /// Frees what can be done without.
    private let makeRoom = Mutex<(@Sendable () -> Void)?>(nil)

    init(limit: Int = .max) {
        self.limit = limit
    }

    var bytesTaken: Int { taken.load(ordering: .relaxed) }

    var isExceeded: Bool { bytesTaken > limit }

    /// - Parameter makeRoom: called on threads that may wait.
    func whenExceeded(_ makeRoom: (@Sendable () -> Void)?) {
        self.makeRoom.withLock { $0 = makeRoom }
    }

    /// Takes bytes that are in use already, or gives them back if negative.
    func charge(_ bytes: Int) {
        taken.add(bytes, ordering: .relaxed)
    }

    func giveBack(_ bytes: Int) {
        taken.subtract(bytes, ordering: .relaxed)
    }

    /// On a thread that may wait. Takes nothing if it throws.
    ///
    /// - Parameter allowance: how far beyond the limit it may go, since as much is given back when
    ///   what takes these bytes replaces something. Else a list that takes more than half of the
    ///   limit could never be read anew.
    func take(_ bytes: Int, beyond allowance: Int = 0) throws(ValetError) {
        charge(bytes)
        guard isExceeded, bytes > 0 else { return }
        makeRoom.withLock { $0 }?()
        guard bytesTaken - allowance > limit else { return }
        let asked = bytesTaken
        giveBack(bytes)
        throw .limit("bytes of all lists in memory (--memory)", is: limit, asked: asked)
    }

    /// Runs a reading, which takes bytes as it grows. Afterwards the size of its result is charged,
    /// or nothing if it failed.
    func reading<Read>(
        beyond allowance: Int = 0, size: (Read) -> Int, _ body: (Share) throws(ValetError) -> Read
    ) throws(ValetError) -> Read {
        let share = Share(of: self, beyond: allowance)
        do throws(ValetError) {
            let read = try body(share)
            try share.settle(size(read))
            return read
        } catch {
            share.giveBack()
            throw error
        }
    }

    /// The bytes of one reading, on however many threads.
    final class Share: Sendable {
        private let budget: MemoryBudget
        private let allowance: Int
        private let taken = Atomic(0)

        fileprivate init(of budget: MemoryBudget, beyond allowance: Int) {
            (self.budget, self.allowance) = (budget, allowance)
        }

        func take(_ bytes: Int) throws(ValetError) {
            try budget.take(bytes, beyond: allowance)
            taken.add(bytes, ordering: .relaxed)
        }

        func giveBack() {
            budget.giveBack(taken.exchange(0, ordering: .relaxed))
        }

        fileprivate func settle(_ bytes: Int) throws(ValetError) {
            try take(bytes - taken.load(ordering: .relaxed))
        }
    }
}
