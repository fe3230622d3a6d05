import Dispatch
import TestSupport
import Testing
import ValetArrangement
import ValetModel
import ValetStore

import struct Synchronization.Atomic

@testable import ValetServer

/// Whatever reads all of a list, or all of a file, beside writers finds one state that the file
/// had, or an error.
@Suite(.offThePool, .timeLimit(.minutes(5))) struct ScanRoundsTests {
    @Test(arguments: runSeeds(4))
    func eachScanIsOfOneState(seed: UInt64) async throws {
        // Without a write-ahead log, a commit waits for readers, and a pin ends with it.
        let file = try await ScannedFile(seed: seed, isInWALMode: seed % 4 != 0)
        var whole = 0
        let least = file.isInWALMode ? 7 : 1
        // Without a log chance may end many with an error.
        for run in 0..<(file.isInWALMode ? 12 : 60) where run < 12 || whole < least {
            let goesOn = Atomic(true)
            async let others: Void = file.commit(while: goesOn, isMade: run % 3 == 0)
            whole += try await file.scan("seed \(seed), run \(run)") ? 1 : 0
            goesOn.store(false, ordering: .relaxed)
            await others
        }
        await file.stop()
        #expect(whole >= least, "most have no error: seed \(seed)")
    }
}

/// A served file that its server and another program change. A row says which state it is.
private final class ScannedFile: Sendable {
    struct Row: Hashable {
        let kind: String
        let amount: Int64
    }

    typealias Rows = [Int64: Row]

    private struct State {
        var random: SeededNumbers
        /// By their numbers.
        var states: [Int64: Rows]
        var newest: Int64 = 0
        var commands: UInt64 = 0
    }

    private static let station = Station(name: "Anna", id: StationID(high: 0, low: 1))
    /// Of the row that says which state it is.
    private static let mark: Int64 = 1
    private static let columns = [0, 1, 2]
    private static let specification = ArrangementSpecification(
        sectionColumn: 1, expression: .wholeValue, rowOrder: [SortKey(column: 2)])

    let isInWALMode: Bool
    private let folder = TemporaryFolder()
    private let path: String
    private let server: TestServer
    private let sender: WriterID
    private let state: Mutex<State>

    init(seed: UInt64, isInWALMode: Bool) async throws {
        self.isInWALMode = isInWALMode
        path = try folder.database(
            """
            PRAGMA journal_mode = \(isInWALMode ? "wal" : "delete");
            CREATE TABLE rows (id INTEGER PRIMARY KEY, kind TEXT, amount INTEGER, filler TEXT);
            CREATE VIEW shown AS SELECT id, kind, amount FROM rows;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300)
            INSERT INTO rows SELECT i, iif(i = 1, 'mark', 'kind ' || (i % 5)), iif(i = 1, 0, i),
              hex(zeroblob(900)) FROM n
            """)
        server = try await TestServer(path)
        var rows = [Self.mark: Row(kind: "mark", amount: 0)]
        for id in 2...300 as ClosedRange<Int64> {
            rows[id] = Row(kind: "kind \(id % 5)", amount: id)
        }
        state = Mutex(State(random: SeededNumbers(seed: seed), states: [0: rows]))
        guard case .writer(let sender) = try Self.carryOut(.assignWriter(Self.station), by: server)
        else { throw Unexpected("no writer") }
        self.sender = sender
        if seed % 2 == 0 { try await arrange() }
    }

    func stop() async { await server.server.stop() }

    private var shared: SharedServices { server.server.shared }

    /// Some lists are in memory, and in order, before they are pinned.
    private func arrange() async throws {
        try await withCheckedThrowingContinuation { done in
            _ = shared.lists[0].arrange(Self.specification) { done.resume(with: $0.map { _ in }) }
        }
    }

    // MARK: Commits

    private static func carryOut(
        _ order: WriterOrder, by server: TestServer
    ) throws -> WriterResult {
        let isDone = DispatchSemaphore(value: 0)
        let answer = Mutex<Result<WriterResult, ValetError>?>(nil)
        server.server.shared.writer?.submit(order, for: .server) { result in
            answer.withLock { $0 = result }
            isDone.signal()
        }
        isDone.wait()
        return try #require(answer.withLock { $0 }).get()
    }

    func commit(while goesOn: borrowing Atomic<Bool>, isMade: Bool) async {
        while isMade, goesOn.load(ordering: .relaxed) {
            commit()
            await Task.yield()
        }
    }

    /// For whoever is asked whether a scan is cancelled.
    private func commitNowAndThen() -> Bool {
        if state.withLock({ $0.random.below(8) == 0 }) { commit() }
        return false
    }

    private func commit() {
        state.withLock { state in
            let number = state.newest + 1
            let old = state.states[state.newest] ?? [:]
            var rows = old
            let ids = old.keys.sorted().dropFirst()
            for _ in 0..<4 {
                let row = Row(
                    kind: "kind \(state.random.below(5))",
                    amount: Int64(state.random.below(1_000)))
                rows[ids[ids.startIndex + state.random.below(ids.count)]] = row
            }
            rows[Self.mark] = Row(kind: "mark", amount: number)
            let isOther = !isInWALMode || state.random.below(2) == 0
            if isOther {
                rows[ids[ids.startIndex + state.random.below(ids.count)]] = nil
                rows[1_000 + number] = Row(kind: "kind 0", amount: number)
            }
            state.commands += 1
            state.states[number] = rows
            do {
                if isOther {
                    try changeByAnotherProgram(from: old, to: rows)
                } else {
                    try change(from: old, to: rows, number: state.commands)
                }
                state.newest = number
            } catch {
                // Readers keep another program from committing where there is no log.
                if isInWALMode { Issue.record(error) }
                state.states[number] = nil
            }
        }
    }

    private func change(from old: Rows, to new: Rows, number: UInt64) throws {
        let edits = new.filter { old[$0.key] != $0.value }.map { id, row in
            RowEdit(
                rowID: id,
                cells: [
                    CellEdit(column: 1, value: .text(row.kind), seen: .anything),
                    CellEdit(column: 2, value: .integer(row.amount), seen: .anything),
                ])
        }
        let name = CommandName(writer: sender, number: number)
        let command = Command(name: name, list: "rows", change: .update(edits))
        let order = ListCommand(sent: SentCommand(command, from: Self.station), list: 0)
        guard case .outcome(let outcome) = try Self.carryOut(.apply(order), by: server),
            case .applied = outcome.verdict
        else { throw Unexpected("it was not applied") }
    }

    private func changeByAnotherProgram(from old: Rows, to new: Rows) throws {
        let deleted = old.keys.filter { new[$0] == nil }.map {
            "DELETE FROM rows WHERE id = \($0);"
        }
        let put = new.filter { old[$0.key] != $0.value }.map { id, row in
            """
            INSERT INTO rows VALUES (\(id), '\(row.kind)', \(row.amount), hex(zeroblob(900)))
            ON CONFLICT DO UPDATE SET kind = '\(row.kind)', amount = \(row.amount);
            """
        }
        let connection = try Connection(path: path, access: .write)
        if !isInWALMode { try connection.run("PRAGMA busy_timeout = 0") }
        try connection.run("BEGIN IMMEDIATE; \((deleted + put).joined()) COMMIT")
    }

    // MARK: Scans

    /// - Returns: false if it ended with an error.
    func scan(_ place: String) async throws -> Bool {
        let kind = state.withLock { $0.random.below(6) }
        do throws(ValetError) {
            switch kind {
            case 0: check(try rowsOfAPin(list: 0), place + ": rows")
            case 1: check(try rowsOfAPin(list: 1), place + ": a view's rows")
            case 2: try checkFacets(place + ": facets")
            case 3: check(try rowsOfAScan(), place + ": a scan")
            case 4: check(try rowsThatAreLoaded(), place + ": a list in memory")
            default: check(try await rowsOfABackup(), place + ": a backup")
            }
            return true
        } catch {
            #expect([.expired, .busy].contains(error.code), "\(error): \(place)")
            return false
        }
    }

    private func check(_ found: Rows, _ place: String) {
        let number = found[Self.mark]?.amount ?? -1
        let isOne = state.withLock { $0.states[number] == found }
        #expect(isOne, "none of the states, said to be \(number): \(place)")
    }

    private func makeReader() throws(ValetError) -> Reader {
        try shared.writer!.database.makeReader()
    }

    private func pin(list: Int) throws(ValetError) -> (pin: Pin, rows: ArrangedRows) {
        let pin = try shared.lists[list].pin(Self.specification, makeReader()) { [self] in
            commitNowAndThen()
        }
        let titles = SectionTitles(template: nil, indexTitles: .none)
        return (
            pin,
            ArrangedRows(
                cache: pin.snapshot.cache,
                arrangement: pin.snapshot.arrangements[Self.specification]!, titles: titles)
        )
    }

    /// Page by page, as `rows` and `export` ask.
    private func rowsOfAPin(list: Int) throws(ValetError) -> Rows {
        let (pin, rows) = try pin(list: list)
        defer { pin.end() }
        var found: Rows = [:]
        for start in stride(from: 0, to: rows.rowCount, by: 50) {
            _ = commitNowAndThen()
            let ids = (start..<min(start + 50, rows.rowCount)).map(rows.rowID(at:))
            let page = try pin.read { [self] reader throws(ValetError) in
                var page: Rows = [:]
                try reader.rows(
                    list: list, ids: ids, columns: Self.columns, cancelled: commitNowAndThen
                ) { (_, row) in
                    Self.add(row[0], row[1], row[2], to: &page)
                }
                return page
            }
            #expect(page.count == ids.count, "what is in order is there")
            found.merge(page) { old, _ in old }
        }
        #expect(found.count == rows.rowCount, "each comes once")
        return found
    }

    /// Sections and sums, page by page.
    private func checkFacets(_ place: String) throws(ValetError) {
        let (pin, rows) = try pin(list: 0)
        defer { pin.end() }
        var counts: [String: Int] = [:]
        var next = 0
        while case let page = rows.sections(from: next, count: 2), !page.isEmpty {
            for section in page { counts[section.title, default: 0] += section.count }
            next += page.count
            commit()
        }
        let wide = try pin.snapshot(with: [0, 1, 2], isCancelled: commitNowAndThen)
        let slots = (0..<rows.rowCount).map(rows.arrangement.order.slot(at:))
        let found = self.rows(slots, of: wide.cache)
        check(found, place)
        let kinds = Dictionary(grouping: found.values) { $0.kind }
        #expect(counts == kinds.mapValues { $0.count }, "\(place)")
    }

    private func rowsOfAScan() throws(ValetError) -> Rows {
        var found: Rows = [:]
        try makeReader().scan(list: 0, columns: Self.columns, cancelled: commitNowAndThen) { row in
            Self.add(row[0], row[1], row[2], to: &found)
            _ = commitNowAndThen()
        }
        return found
    }

    /// At once: what is read in parts says so, and is made one state by the changes since.
    private func rowsThatAreLoaded() throws(ValetError) -> Rows {
        let loader = shared.lists[0].loader
        let loaded = try loader.load(
            Self.columns, isAtOnce: true, from: makeReader(), and: shared.builders
        ) { [self] in commitNowAndThen() }
        loader.budget.giveBack(loaded.byteCount)
        #expect(!loaded.isMixed)
        return rows((0..<UInt32(loaded.cache.rowCount)).map { $0 }, of: loaded.cache)
    }

    private func rowsOfABackup() async throws(ValetError) -> Rows {
        let copy = folder.file("copy-\(state.withLock { $0.random.next() }).db")
        let isCopied = await withCheckedContinuation { done in
            shared.writer!.copy(to: copy, cancelled: StopFlag()) { done.resume(returning: $0) }
        }
        if try !isCopied.get() { try makeReader().copy(to: copy, cancelled: commitNowAndThen) }
        try CopiedFile(copy).check()
        var found: Rows = [:]
        let connection = try Connection(path: copy, access: .readAlone)
        let statement = try connection.prepare("SELECT id, kind, amount FROM rows")
        while try statement.step() {
            found[statement.integer(0)] = Row(
                kind: statement.text(1) ?? "", amount: statement.integer(2))
        }
        return found
    }

    private func rows(_ slots: [UInt32], of cache: ColumnCache) -> Rows {
        var found: Rows = [:]
        for slot in slots {
            guard case .integer(let id) = cache.column(0)[slot],
                case .integer(let amount) = cache.column(2)[slot]
            else { continue }
            found[id] = Row(kind: cache.column(1).text(at: slot) ?? "", amount: amount)
        }
        return found
    }

    private static func add(
        _ id: BorrowedValue, _ kind: BorrowedValue, _ amount: BorrowedValue, to rows: inout Rows
    ) {
        guard case .integer(let id) = id, case .text(let kind) = kind,
            case .integer(let amount) = amount
        else { return }
        rows[id] = Row(kind: String(decoding: kind, as: UTF8.self), amount: amount)
    }
}
