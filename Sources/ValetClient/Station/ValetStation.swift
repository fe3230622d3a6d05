import NIOCore
import NIOPosix
import ValetModel

/// A client that stays connected, and that writes.
///
/// ```swift
/// let station = try await ValetStation.connect { () throws(ValetError) in
///     try await ValetConnection.connect(host: "127.0.0.1", station: me)
/// }
/// let cars = try await station.connection?.catalog().catalog.list(named: "cars")
/// let outcome = try await station.check(true, column: 4, ofRow: 4711, in: cars)
/// ```
///
/// When the connection ends, it connects again: after half a second at first, then later and later.
/// A command that has no outcome by then is sent again, and the server carries it out once. Lists
/// are read over `connection`, which is another one after each reconnection.
public final class ValetStation: Sendable {
    /// Makes a connection, as the same station each time.
    public typealias Connect = @Sendable () async throws(ValetError) -> ValetConnection

    private let eventLoop: any EventLoop
    private let runner: NIOLoopBound<StationRunner>
    private let current: CurrentConnection

    private init(_ runner: NIOLoopBound<StationRunner>, _ current: CurrentConnection) {
        eventLoop = runner.eventLoop
        self.runner = runner
        self.current = current
    }

    /// Connects for the first time.
    /// - Parameters:
    ///   - attempts: how many times in a row it connects again, and how many times a busy server
    ///     is asked again, before it gives up and fails what waits.
    ///   - connect: makes the first connection and all later ones.
    /// - Throws: the first connection's error.
    public static func connect(
        attempts: Int = .max, _ connect: @escaping Connect
    ) async throws(ValetError) -> ValetStation {
        try await self.connect(backOff: BackOff(most: attempts), connect)
    }

    static func connect(
        backOff: BackOff, _ connect: @escaping Connect
    ) async throws(ValetError) -> ValetStation {
        let connection = try await connect()
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let current = CurrentConnection()
        current.set(connection)
        let started = Waiter<ValetStation>()
        eventLoop.execute {
            let runner = StationRunner(
                eventLoop: eventLoop, backOff: backOff, current: current, connect: connect)
            runner.connected(connection)
            let bound = NIOLoopBound(runner, eventLoop: eventLoop)
            started.finish(.success(ValetStation(bound, current)))
        }
        return try await started.answer()
    }

    deinit { onLoop { $0.end(ValetError(.shuttingDown, "the station was closed")) } }

    func onLoop(_ body: @escaping @Sendable (StationRunner) -> Void) {
        let runner = runner
        eventLoop.execute { body(runner.value) }
    }

    /// nil while there is none.
    public var connection: ValetConnection? { current.connection }

    /// What happens to the connection.
    public enum News: Sendable {
        case connecting
        case connected(ValetConnection)
        case disconnected(ValetError)
        /// An attempt to connect again failed; another follows.
        case failed(ValetError)
    }

    /// Calls `body` with the connection as it is, and with all that happens to it from now on.
    public func onNews(_ body: @escaping @Sendable (News) -> Void) {
        onLoop { $0.subscribe(body) }
    }

    /// Connects at once, if it would wait before the next attempt.
    public func connectNow() { onLoop { $0.connect() } }

    /// Shows others where the person is: sends the newest presence at most ten times a second, and
    /// again on each new connection.
    public func appear(_ presence: Presence) { onLoop { $0.appear(presence) } }

    /// Calls `body` with all other stations in the same list whenever one of them moves, comes or
    /// goes; with none when the connection is lost. Their names are untrusted text.
    public func onOthers(_ body: @escaping @Sendable ([StationPresence]) -> Void) {
        onLoop { $0.onOthers(body) }
    }

    /// Calls `body` with the node that the server is of its cluster whenever that is another, or
    /// another way; with nil when the connection is lost. Never where the server is in none.
    public func onNode(_ body: @escaping @Sendable (ServingNode?) -> Void) {
        onLoop { $0.onNode(body) }
    }

    /// Submits changes of one act, which are undone together. They are carried out in order.
    ///
    /// When the server has another catalog by then than the one that `list` was read in, columns go
    /// by their names, and rows by their ids if the list keeps these; else a change fails with
    /// `.catalogChanged`, and was not made.
    /// - Parameter answer: called once for each change, with its place.
    public func submit(
        _ changes: [Change], list: ListDescription,
        answer: @escaping @Sendable (_ place: Int, Result<Outcome, ValetError>) -> Void
    ) {
        onLoop { $0.submit(changes, list: list, answer: answer) }
    }

    /// Submits a change and waits for its outcome, over reconnections too.
    /// - Throws: `.superseded` when the task is cancelled: the change may still be made.
    public func submit(_ change: Change, list: ListDescription) async throws(ValetError) -> Outcome
    {
        let waiter = Waiter<Outcome>()
        submit([change], list: list) { _, result in waiter.finish(result) }
        return try await waiter.answer()
    }

    /// Submits changes of one act and waits for all of their outcomes, over reconnections too.
    /// - Returns: a result for each change, in order.
    public func submit(
        _ changes: [Change], list: ListDescription
    ) async -> [Result<Outcome, ValetError>] {
        let waiters = changes.map { _ in Waiter<Outcome>() }
        submit(changes, list: list) { place, result in waiters[place].finish(result) }
        var results: [Result<Outcome, ValetError>] = []
        for waiter in waiters {
            do throws(ValetError) {
                results.append(.success(try await waiter.answer()))
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }

    /// Says goodbye and closes the connection. What has no outcome fails.
    public func close() async {
        let waiter = Waiter<Void>()
        onLoop { $0.retire { waiter.finish(.success(())) } }
        try? await waiter.answer()
        let connection = connection
        onLoop { $0.end(ValetError(.shuttingDown, "the station was closed")) }
        await connection?.close()
    }
}

extension ValetStation {
    /// - Parameter rows: columns that are left out get the table's default.
    public func insert(
        _ rows: [[ColumnValue]], into list: ListDescription
    ) async throws(ValetError) -> Outcome {
        try await submit(.insert(rows), list: list)
    }

    public func update(_ edits: [RowEdit], in list: ListDescription) async throws(ValetError)
        -> Outcome
    {
        try await submit(.update(edits), list: list)
    }

    public func delete(
        _ rows: [RowDeletion], from list: ListDescription
    ) async throws(ValetError) -> Outcome {
        try await submit(.delete(rows), list: list)
    }

    /// Sets a mark, whatever it was before.
    public func check(
        _ isOn: Bool, column: Int, ofRow rowID: Int64, in list: ListDescription
    ) async throws(ValetError) -> Outcome {
        let mark = CellEdit(column: column, value: .integer(isOn ? 1 : 0), seen: .anything)
        return try await update([RowEdit(rowID: rowID, cells: [mark])], in: list)
    }

    /// Takes back the station's newest act in the list.
    public func undo(in list: ListDescription) async throws(ValetError) -> Outcome {
        try await submit(.undo, list: list)
    }

    /// Leaves the station's newest act in the list as it is: undo goes on with the one before.
    ///
    /// - Parameter step: of the outcome of `undo`. Refused if another act is the newest by now.
    public func skipUndo(
        step: UInt64, in list: ListDescription
    ) async throws(ValetError) -> Outcome {
        try await submit(.skipUndo(step: step), list: list)
    }

    /// Takes back the station's newest act in the list, whatever others have done since.
    ///
    /// - Parameters:
    ///   - step: of the outcome of `undo`. Refused if another act is the newest by now.
    ///   - seen: the revision of that outcome: what others have done later is a conflict again.
    public func forceUndo(
        step: UInt64, seen: UInt64? = nil, in list: ListDescription
    ) async throws(ValetError) -> Outcome {
        try await submit(.forceUndo(step: step, seen: seen), list: list)
    }

    /// Does again what was taken back last.
    public func redo(in list: ListDescription) async throws(ValetError) -> Outcome {
        try await submit(.redo, list: list)
    }
}

/// The connection that a station has now, for any thread.
final class CurrentConnection: Sendable {
    private let current = Mutex<ValetConnection?>(nil)

    var connection: ValetConnection? { current.withLock { $0 } }

    func set(_ connection: ValetConnection?) { current.withLock { $0 = connection } }
}
