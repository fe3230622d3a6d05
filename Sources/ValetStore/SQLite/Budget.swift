import ValetModel

/// The time that a kind of work with SQLite may take.
package struct Budget: Sendable {
    package var time: Duration
    /// The name of its limit, for errors.
    let limit: String
    /// What took too long: `to copy`.
    let purpose: String
    /// What to do about it; may be empty.
    let advice: String
    /// True when each row may take the time.
    let isPerRow: Bool

    private init(
        seconds: Int, _ limit: String, _ purpose: String, advice: String = "",
        isPerRow: Bool = false
    ) {
        time = .seconds(seconds)
        self.limit = limit
        self.purpose = purpose
        self.advice = advice
        self.isPerRow = isPerRow
    }

    /// The header, the schema, and what the tables are.
    static let opening = Budget(seconds: Limits.secondsToOpen, "secondsToOpen", "to open")
    package static let lookup = Budget(
        seconds: Limits.secondsPerLookup, "secondsPerLookup", "to read")
    /// A table may have any number of rows, and its disk may be slow: so time stands for each row.
    package static let row = Budget(
        seconds: Limits.secondsPerRow, "secondsPerRow", "to give the next row", isPerRow: true)
    package static let copy = Budget(
        seconds: Limits.secondsPerCopy, "secondsPerCopy", "to copy",
        advice: ": select less in it, or keep its rows in a table with row ids")
    package static let count = Budget(
        seconds: Limits.secondsOfCounting, "secondsOfCounting", "to count")
    static let inference = Budget(
        seconds: Limits.secondsOfInference, "secondsOfInference", "to look through")

    func taking(_ time: Duration) -> Budget {
        var budget = self
        budget.time = time
        return budget
    }
}

/// The budgets of a database's readers. A value, so that tests need not wait for seconds.
package struct Budgets: Sendable {
    /// A page, a row's detail, a piece of a cell.
    package var lookup = Budget.lookup
    /// Reading a table in.
    package var row = Budget.row
    /// The copy of a view, or of a table without row ids.
    package var copy = Budget.copy
    /// The values of a copy.
    package var bytesPerCopy = Limits.bytesPerCopy
    /// How long a copy that took too long is refused without another try.
    package var untilRetry = Duration.seconds(Limits.secondsUntilCopyIsRetried)

    package init() {}
}

/// Time that several pieces of work share. Each may take half of what is left, the last one all: so
/// a slow one leaves the others theirs.
package struct SharedTime: Sendable {
    private let end: ContinuousClock.Instant

    package init(_ total: Duration) {
        end = .now + total
    }

    /// The part of the next of `count` pieces; nil when nothing is left.
    package func part(ofNext count: Int) -> Duration? {
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { return nil }
        return count > 1 ? left / 2 : left
    }
}
