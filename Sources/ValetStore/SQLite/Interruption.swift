import CSQLite
import ValetModel

/// Why and when the running statement of a connection must stop.
///
/// SQLite asks every few hundred steps of its machine: a tick. A single step is never interrupted,
/// so a function of a very long text ends before anyone is asked.
final class Interruption {
    enum Cause {
        /// The owner of the connection stops.
        case stopping
        /// Nobody waits for the result any more.
        case cancelled
        case overdue(Budget)
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
    private let isStopping: @Sendable () -> Bool
    private var work: Work?
    private var hasNewRow = false

    init(isStopping: @escaping @Sendable () -> Bool) {
        self.isStopping = isStopping
    }

    fileprivate func begin(_ budget: Budget, isCancelled: @escaping () -> Bool, ticks: Int) {
        precondition(work == nil, "work on a connection can't begin within other work")
        cause = nil
        hasNewRow = false
        work = Work(
            isCancelled: isCancelled, budget: budget, deadline: .now + budget.time,
            ticksLeft: ticks)
    }

    fileprivate func end() {
        work = nil
    }

    /// A row came: a budget that is for one row begins anew. At the next tick, since reading the
    /// clock for each row would take longer than reading the row.
    func rowCame() {
        hasNewRow = true
    }

    func isDue() -> Bool {
        if isStopping() { return stop(.stopping) }
        guard var work else { return false }
        if work.isCancelled() { return stop(.cancelled) }
        if work.ticksLeft <= 0 { return stop(.ticksSpent) }
        work.ticksLeft -= 1
        let now = ContinuousClock.now
        if hasNewRow, work.budget.isPerRow {
            hasNewRow = false
            work.deadline = now + work.budget.time
        }
        self.work = work
        return now >= work.deadline ? stop(.overdue(work.budget)) : false
    }

    private func stop(_ cause: Cause) -> Bool {
        self.cause = cause
        return true
    }
}

extension Connection {
    /// Runs `body`. Its statements stop when they have taken the time of `budget`, soon after
    /// `isCancelled` says so, and soon after the connection's owner stops.
    ///
    /// - Parameter ticks: steps that the statements may take, where the same file must give the
    ///   same result on a fast and on a busy computer.
    func working<Value>(
        within budget: Budget, ticks: Int = .max, cancelled isCancelled: () -> Bool = { false },
        _ body: () throws(ValetError) -> Value
    ) throws(ValetError) -> Value {
        let result: Result<Value, ValetError> = withoutActuallyEscaping(isCancelled) {
            interruption.begin(budget, isCancelled: $0, ticks: ticks)
            defer { interruption.end() }
            do throws(ValetError) {
                // Short statements end before SQLite ever asks.
                try checkInterruption()
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Throws when the work must stop: for what runs between statements.
    func checkInterruption(of subject: String? = nil) throws(ValetError) {
        if interruption.isDue() { throw failure(SQLITE_INTERRUPT, doing: "read", to: subject) }
    }
}
