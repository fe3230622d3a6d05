import ValetClient
import ValetCommands
import ValetModel

/// A station that changes a few rows at a time, and has a standing window. It reconnects by itself.
final class CrashStation: Sendable {
    /// The columns that it changes, always both to the same text.
    static let columns = [5, 6]
    private static let names = ["owner_first", "owner_last"]
    private static let rowsPerWindow = 40

    private struct Watched {
        /// Of the server that was connected last: without a connection, commands wait for the next.
        var epoch: UInt64 = 0
        var view: ValetView?
        /// Of this view.
        var window: Window?
    }

    let number: Int
    private let plan: CrashPlan
    private let book: CrashBook
    private let station: ValetStation
    private let watched = Mutex(Watched())

    init(
        number: Int, plan: CrashPlan, book: CrashBook, _ connect: @escaping ValetStation.Connect
    ) async throws(ValetError) {
        self.number = number
        self.plan = plan
        self.book = book
        station = try await ValetStation.connect(connect)
        station.onNews { [weak self] in
            if case .connected(let connection) = $0 { self?.watch(connection) }
        }
    }

    private func watch(_ connection: ValetConnection) {
        let view = connection.startView(
            list: FleetWriter.table, columns: Self.names, Query(grouping: "None")
        ) { _ in }
        watched.withLock { $0 = Watched(epoch: connection.server.epoch, view: view) }
        let place = plan.rows / max(1, plan.stations) * number
        view.followWindow(
            at: .ordinal(place), rows: Self.rowsPerWindow, wantsParts: false, answersPerSecond: 5
        ) { [weak self, weak view] in
            guard let self, case .success(let window) = $0 else { return }
            watched.withLock { if $0.view === view { $0.window = window } }
        }
    }

    /// Whether the window comes from the server of this epoch.
    func isWhole(at epoch: UInt64) -> Bool {
        watched.withLock { $0.epoch == epoch && $0.window != nil }
    }

    /// The table stays as it is, also behind a server that was started anew.
    private var list: ListDescription {
        ListDescription(named: FleetWriter.table, epoch: watched.withLock(\.epoch))
    }

    /// Changes rows until the run is over.
    func write() async {
        var numbers = SeededNumbers(seed: plan.seed, index: number)
        var own: [Int64] = []
        var count = 0
        while !book.isOver.load(ordering: .relaxed) {
            try? await Task.sleep(for: .milliseconds(numbers.below(200)), tolerance: .zero)
            count += 1
            let change = Self.change(
                "\(number)-\(count)", rows: plan.rows, own: own, with: &numbers)
            do throws(ValetError) {
                let outcome = try await station.submit(change, list: list)
                let mismatch = book.ledger.withLock {
                    $0.acknowledged(outcome, of: change, at: number)
                }
                book.figures.add(mismatch, at: number)
                switch (change, outcome.verdict) {
                case (.insert, .applied(let rowIDs)): own = rowIDs
                case (.delete, .applied): own = []
                case _: break
                }
            } catch {
                book.figures.add(error, at: number)
            }
        }
    }

    /// - Parameter own: rows that no other station changes.
    private static func change(
        _ stamp: String, rows: Int, own: [Int64], with numbers: inout SeededNumbers
    ) -> ValetModel.Change {
        let values = columns.map { ColumnValue(column: $0, value: .text(stamp)) }
        let count = 1 + numbers.below(5)
        switch numbers.below(4) {
        case 0 where own.isEmpty: return .insert(Array(repeating: values, count: count))
        case 0: return .delete(own.map { RowDeletion(rowID: $0) })
        default:
            let edits = values.map {
                CellEdit(column: $0.column, value: $0.value, seen: .anything)
            }
            let rowIDs = Set((0..<count).map { _ in Int64(1 + numbers.below(rows)) })
            return .update(rowIDs.sorted().map { RowEdit(rowID: $0, cells: edits) })
        }
    }

    /// Whether the window shows other cells than the file has.
    func differs(from rows: StationsLedger.Rows) -> Bool {
        guard let window = watched.withLock({ $0.window }) else { return true }
        return window.totalRows != rows.count
            || window.rows.contains { row in row.map { rows[$0.id] != $0.cells } ?? true }
    }

    func close() async { await station.close() }
}
