import CSQLite
import ValetModel

/// Why and when a running statement must stop.
///
/// SQLite asks after every few thousand steps of its machine. Budgets count those steps and not
/// seconds, so that what is read within a budget does not depend on how busy the computer is.
final class Interruption {
    enum Cause {
        case cancelled
        case budgetSpent
    }

    /// Set after a statement was stopped, until the next one that can be.
    private(set) var cause: Cause?
    private var isCancelled: (() -> Bool)?
    private var ticksLeft: Int?

    fileprivate func begin(isCancelled: (() -> Bool)?, ticks: Int?) {
        cause = nil
        self.isCancelled = isCancelled
        ticksLeft = ticks
    }

    fileprivate func end() {
        isCancelled = nil
        ticksLeft = nil
    }

    func isDue() -> Bool {
        if let isCancelled, isCancelled() {
            cause = .cancelled
            return true
        }
        guard let ticks = ticksLeft else { return false }
        ticksLeft = ticks - 1
        if ticks <= 0 { cause = .budgetSpent }
        return ticks <= 0
    }
}

extension Connection {
    /// Runs `body`; its statements stop soon after `isCancelled` says so.
    func interruptible<Value>(
        by isCancelled: () -> Bool, _ body: () throws(ValetError) -> Value
    ) throws(ValetError) -> Value {
        let result: Result<Value, ValetError> = withoutActuallyEscaping(isCancelled) {
            interruption.begin(isCancelled: $0, ticks: nil)
            defer { interruption.end() }
            do throws(ValetError) {
                // Counting and tiny reads end before SQLite ever asks.
                if interruption.isDue() {
                    throw failure(SQLITE_INTERRUPT, doing: "read")
                }
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Runs `body`; when its statements have taken `ticks` ticks they stop, and the answer is nil.
    func within<Value>(
        ticks: Int, _ body: () throws(ValetError) -> Value
    ) throws(ValetError) -> Value? {
        interruption.begin(isCancelled: nil, ticks: ticks)
        defer { interruption.end() }
        do {
            return try body()
        } catch {
            if interruption.cause == .budgetSpent { return nil }
            throw error
        }
    }
}
