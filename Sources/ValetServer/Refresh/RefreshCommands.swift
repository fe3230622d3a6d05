import ValetModel
import ValetStore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The commands of one refresh: one group, so that all of it can be taken back.
struct RefreshCommands {
    private let list: Int
    private let name: String
    private let writer: FileWriter
    private let stop: RefreshStop
    /// Another one each time: undo goes back no further than to this refresh.
    private let station = Station(
        name: "refresh", id: StationID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)))
    private var writerID = WriterID(high: 0, low: 0)
    private var number: UInt64 = 0
    private var hasChanged = false

    private static let secondsForBusy = 10

    init(list: Int, name: String, writer: FileWriter, stop: RefreshStop) {
        self.list = list
        self.name = name
        self.writer = writer
        self.stop = stop
    }

    mutating func begin() throws(ValetError) {
        if case .writer(let assigned) = try carryOut(.assignWriter(station)) { writerID = assigned }
    }

    func end() {
        _ = try? carryOut(.retireWriter(writerID, of: station, isRefresh: true))
    }

    /// - Parameter progress: called with the rows that are done.
    /// - Returns: false if somebody else has changed one of the rows, so that the rest is another.
    mutating func apply(
        _ difference: SourceDifference, progress: (Int) -> Void
    ) throws(ValetError) -> Bool {
        var done = 0
        for (change, count) in difference.changes {
            if stop.isStopped { throw ValetError(.superseded, "the refresh was cancelled") }
            switch try submit(change) {
            case .applied, .appliedButFor: hasChanged = true
            case .conflict: return false
            case .refused(let refusals):
                throw ValetError(
                    .unexpected, refusals.first?.message ?? "the list refuses the rows")
            }
            done += count
            progress(done)
        }
        return true
    }

    /// Makes the rows what they were before.
    mutating func takeBack() {
        if hasChanged { _ = try? submit(.undo) }
        end()
    }

    private mutating func submit(_ change: Change) throws(ValetError) -> Verdict {
        number += 1
        var group: UInt64 = 1
        if case .undo = change { group = number }
        let command = Command(
            name: CommandName(writer: writerID, number: number), group: group, list: name,
            change: change)
        var sent = SentCommand(command, from: station)
        sent.isRefresh = true
        guard case .outcome(let outcome) = try carryOut(.apply(ListCommand(sent: sent, list: list)))
        else { throw ValetError(.unexpected, "a command without an outcome") }
        return outcome.verdict
    }

    /// Waits for the writer. While another program locks the file, it asks again.
    private func carryOut(_ order: WriterOrder) throws(ValetError) -> WriterResult {
        let end = ContinuousClock.now + .seconds(Self.secondsForBusy)
        while true {
            let reply = Reply<Result<WriterResult, ValetError>>()
            writer.submit(order, for: .server) { reply.give($0) }
            do throws(ValetError) {
                return try reply.wait().get()
            } catch {
                guard error.code == .busy, ContinuousClock.now < end, !stop.isStopped else {
                    throw error
                }
                usleep(100_000)
            }
        }
    }
}

extension SourceDifference {
    /// Commands of a few hundred rows, and their numbers of rows. What is removed comes first,
    /// since new rows may have its unique values.
    fileprivate var changes: [(Change, count: Int)] {
        let most = Limits.rowsPerRefreshCommand
        let removals = stride(from: 0, to: removed.count, by: most).map { start in
            let rows = removed[start..<min(start + most, removed.count)]
            return (Change.delete(rows.map { RowDeletion(rowID: $0) }), count: rows.count)
        }
        let changes = Self.batches(of: changed) {
            $0.cells.reduce(0) { $0 + $1.value.heldByteCount }
        }.map { (Change.update($0), count: $0.count) }
        let additions = Self.batches(of: added) { $0.reduce(0) { $0 + $1.value.heldByteCount } }
            .map { (Change.insert($0), count: $0.count) }
        return removals + changes + additions
    }

    private static func batches<Row>(of rows: [Row], byteCount: (Row) -> Int) -> [[Row]] {
        var batches: [[Row]] = []
        var bytes = 0
        for row in rows {
            bytes += byteCount(row)
            if let last = batches.last, last.count < Limits.rowsPerRefreshCommand,
                bytes <= Limits.bytesPerRefreshCommand
            {
                batches[batches.count - 1].append(row)
            } else {
                batches.append([row])
                bytes = byteCount(row)
            }
        }
        return batches
    }
}
