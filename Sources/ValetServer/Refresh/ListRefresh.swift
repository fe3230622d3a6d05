import ValetModel
import ValetStore

/// One refresh of one list, from top to bottom, on a thread that may wait.
///
/// `valet-fetch` loads the source and makes CSV of it; a temporary table takes that in; what
/// differs from the list goes to the file's writer as commands of one group, by a station of its
/// own, a few hundred rows each, so that other stations' commands come between.
struct ListRefresh: Sendable {
    let database: Database
    let list: Int
    let source: ListSource
    let writer: FileWriter
    /// The path of `valet-fetch`; nil if it is not there.
    let program: String?
    let stop: RefreshStop
    let progressed: @Sendable (RefreshProgress) -> Void

    private static let attempts = 4

    func run() -> RefreshEnding {
        do throws(ValetError) {
            return try load()
        } catch {
            return stop.isStopped ? .cancelled : .failed(error.message)
        }
    }

    private func load() throws(ValetError) -> RefreshEnding {
        var progress = Throttle(progressed)
        let csv = try fetch(&progress)
        let rows = try SourceRows(
            for: list, from: source, in: database, isStopping: { stop.isStopped })
        try rows.load(csv: csv)
        progress.report(RefreshProgress(stage: .comparing, done: 0, total: rows.count))
        let difference = try rows.difference()
        guard rows.count > 0 || difference.removed.isEmpty else {
            throw emptySource(keeping: difference.removed.count)
        }
        if difference.isEmpty { return .done(added: 0, changed: 0, removed: 0) }
        var commands = RefreshCommands(
            list: list, name: database.catalog.lists[list].name, writer: writer, stop: stop)
        do throws(ValetError) {
            try commands.begin()
            var left = difference
            var attempt = 1
            // Somebody may change the rows meanwhile: then what is left is looked for again.
            while try !commands.apply(left, progress: { progress.changed($0, of: left.count) }) {
                guard attempt < Self.attempts else {
                    throw ValetError(.busy, "others change the same rows all the time: try again")
                }
                attempt += 1
                left = try rows.difference()
            }
        } catch {
            commands.takeBack()
            throw error
        }
        commands.end()
        return .done(
            added: difference.added.count, changed: difference.changed.count,
            removed: difference.removed.count)
    }

    /// A feed that fails may be a whole one without rows, and people's own columns would be lost.
    private func emptySource(keeping rows: Int) -> ValetError {
        let kept = rows == 1 ? "the 1 row stays as it was" : "the \(rows) rows stay as they were"
        return ValetError(.storageFailed, "“\(source.shownName)” has no rows; \(kept)")
    }

    private func fetch(_ progress: inout Throttle) throws(ValetError) -> [UInt8] {
        guard let program else {
            throw ValetError(
                .storageFailed,
                "the program valet-fetch is missing: it belongs beside valet and valetd")
        }
        do throws(ValetError) {
            let process = try FetchProcess(program, source)
            stop.watch(process)
            defer { stop.watch(nil) }
            return try process.output { done, total in
                progress.report(RefreshProgress(stage: .loading, done: done, total: total))
            }
        } catch {
            throw ValetError(error.code, "“\(source.shownName)”: \(error.message)")
        }
    }
}

/// Reports at most ten times a second, so that a fast file costs no frames.
struct Throttle {
    private static let interval = Duration.seconds(1) / Limits.refreshProgressesPerSecond
    private let report: @Sendable (RefreshProgress) -> Void
    private var last = ContinuousClock.now

    init(_ report: @escaping @Sendable (RefreshProgress) -> Void) {
        self.report = report
    }

    mutating func changed(_ rows: Int, of total: Int) {
        report(RefreshProgress(stage: .changing, done: rows, total: total))
    }

    mutating func report(_ progress: RefreshProgress) {
        let now = ContinuousClock.now
        guard now - last >= Self.interval else { return }
        last = now
        report(progress)
    }
}
