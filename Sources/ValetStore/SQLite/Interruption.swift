import CSQLite
import ValetModel

/// Decides when the running statement of a connection must stop, and why.
///
/// SQLite polls every few hundred steps of its virtual machine: a tick. A single step can't be
/// interrupted, so a function of a very long text runs to its end.
final class Interruption {
    enum Cause {
        /// The owner of the connection is stopping.
        case stopping
        /// The result is no longer wanted.
        case cancelled
        case overdue(Budget)
        /// Another program has waited so long to write the file.
        case keepsWriter(Duration)
        case ticksSpent
    }

    private struct Work {
        let isCancelled: () -> Bool
        let budget: Budget
        var deadline: ContinuousClock.Instant
        var ticksLeft: Int
    }

    /// Why the last statement was stopped, until the next work begins.
    private(set) var cause: Cause?
    private var isStopping: @Sendable () -> Bool
    private var work: Work?
    private var hasNewRow = false
    /// Set while work yields to other programs that wait to write the file.
    var lockWatch: LockWatch?

    init(isStopping: @escaping @Sendable () -> Bool) {
        self.isStopping = isStopping
    }

    /// Only the deadlines of work end it from now on.
    func ignoreStopping() { isStopping = { false } }

    fileprivate func begin(_ budget: Budget, isCancelled: @escaping () -> Bool, ticks: Int) {
        precondition(work == nil, "work on a connection can't begin within other work")
        cause = nil
        hasNewRow = false
        work = Work(
            isCancelled: isCancelled, budget: budget, deadline: .now + budget.time,
            ticksLeft: ticks)
    }

    fileprivate func end() { work = nil }

    /// A row arrived, so a per-row budget restarts: at the next tick, since reading the clock for
    /// each row would cost more than reading the row.
    func rowCame() { hasNewRow = true }

    func isDue() -> Bool {
        // Asked first: some work is cancelled because its owner stops.
        let isCancelled = work?.isCancelled() == true
        if isStopping() { return stop(.stopping) }
        if isCancelled { return stop(.cancelled) }
        guard var work else { return false }
        if work.ticksLeft <= 0 { return stop(.ticksSpent) }
        work.ticksLeft -= 1
        let now = ContinuousClock.now
        if hasNewRow, work.budget.isPerRow {
            hasNewRow = false
            work.deadline = now + work.budget.time
        }
        self.work = work
        if lockWatch?.keepsWriter(at: now) == true, let patience = lockWatch?.patience {
            return stop(.keepsWriter(patience))
        }
        return now >= work.deadline ? stop(.overdue(work.budget)) : false
    }

    private func stop(_ cause: Cause) -> Bool {
        self.cause = cause
        return true
    }
}

extension Connection {
    /// Runs `body`. Its statements stop when `budget` is spent, soon after `isCancelled` returns
    /// true, and soon after the connection's owner stops.
    ///
    /// - Parameter ticks: the steps that the statements may take, where the result must not depend
    ///   on the computer's speed.
    func working<Value>(
        within budget: Budget, ticks: Int = .max, cancelled isCancelled: () -> Bool = { false },
        _ body: () throws(ValetError) -> Value
    ) throws(ValetError) -> Value {
        let result: Result<Value, ValetError> = withoutActuallyEscaping(isCancelled) {
            interruption.begin(budget, isCancelled: $0, ticks: ticks)
            defer { interruption.end() }
            do throws(ValetError) {
                // Short statements end before SQLite polls for the first time.
                try checkInterruption()
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The same, for one expression.
    func result<Value>(
        of work: @autoclosure () throws(ValetError) -> Value, within budget: Budget
    ) throws(ValetError) -> Value {
        try working(within: budget) { () throws(ValetError) in try work() }
    }

    /// Throws if the work must stop: for code that runs between statements.
    func checkInterruption(of subject: String? = nil) throws(ValetError) {
        if interruption.isDue() { throw failure(SQLITE_INTERRUPT, doing: "read", to: subject) }
    }
}
