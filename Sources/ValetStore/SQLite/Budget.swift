import ValetModel

/// The time limit of one kind of SQLite work.
package struct Budget: Sendable {
    package var time: Duration
    /// The name of its limit, for errors.
    let limit: String
    /// What timed out, for errors: `to copy`.
    let purpose: String
    /// Advice for errors; may be empty.
    var advice = ""
    /// True if the time is granted per row.
    var isPerRow = false

    /// The header, the schema, and the tables' kinds.
    package static let opening = Budget(
        time: .seconds(Limits.secondsToOpen), limit: "secondsToOpen", purpose: "to open")
    package static let lookup = Budget(
        time: .seconds(Limits.secondsPerLookup), limit: "secondsPerLookup", purpose: "to read")
    /// A table may have any number of rows on a slow disk, so the time is granted per row.
    package static let row = Budget(
        time: .seconds(Limits.secondsPerRow), limit: "secondsPerRow",
        purpose: "to give the next row", isPerRow: true)
    package static let copy = Budget(
        time: .seconds(Limits.secondsPerCopy), limit: "secondsPerCopy", purpose: "to copy",
        advice: ": select less in it, or keep its rows in a table with row ids")
    package static let count = Budget(
        time: .seconds(Limits.secondsOfCounting), limit: "secondsOfCounting", purpose: "to count")
    /// Granted to each command of a batch.
    static let command = Budget(
        time: .seconds(Limits.secondsPerCommand * timesSlower), limit: "secondsPerCommand",
        purpose: "to change", isPerRow: true)
    /// How many times slower a sanitizer may make a command.
    #if SANITIZED
        private static let timesSlower = 20
    #else
        private static let timesSlower = 1
    #endif
    static let inference = Budget(
        time: .seconds(Limits.secondsOfInference), limit: "secondsOfInference",
        purpose: "to look through")

    func taking(_ time: Duration) -> Budget {
        var budget = self
        budget.time = time
        return budget
    }
}

/// The budgets of a database's readers. A value, so that tests need not wait for seconds.
package struct Budgets: Sendable {
    /// Reading the schema, and what Valet's log says of itself, when a file is opened.
    package var opening = Budget.opening
    /// Reading a page, a row's detail, or a piece of a cell.
    package var lookup = Budget.lookup
    /// Loading a table.
    package var row = Budget.row
    /// How long a transaction takes that reads a part of a table.
    package var part = Duration.milliseconds(Limits.millisecondsPerPartOfReading)
    /// Copying a view, or a table without row ids.
    package var copy = Budget.copy
    /// Finding the rows of a query in memory.
    package var search = Duration.seconds(Limits.secondsPerSearch)
    /// How long a copy keeps another program from writing.
    package var untilYielding = Duration.seconds(Limits.secondsOfKeptWriter)
    /// The size limit of a copy.
    package var bytesPerCopy = Limits.bytesPerCopy
    /// How long a copy that timed out is refused before a retry.
    package var untilRetry = Duration.seconds(Limits.secondsUntilCopyIsRetried)

    package init() {}
}

/// Time shared by several pieces of work. Each may take half of what is left, and the last one all
/// of it, so that a slow one leaves time for the others.
package struct SharedTime: Sendable {
    private let end: ContinuousClock.Instant

    package init(_ total: Duration) {
        end = .now + total
    }

    /// The share of the next of `count` pieces; nil when no time is left.
    package func part(ofNext count: Int) -> Duration? {
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { return nil }
        return count > 1 ? left / 2 : left
    }
}
