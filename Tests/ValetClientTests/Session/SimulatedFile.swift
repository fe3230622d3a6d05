import Foundation
import NIOCore
import TestSupport
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetSecurity

@testable import ValetServer
@testable import ValetStore

/// The file of a simulated server, on a disk that loses power, and what the server keeps of it in
/// memory. Beside it stands what the file must have, by the outcomes in the order of the log.
final class SimulatedFile {
    struct Mistake: Error {
        let text: String
    }

    /// Mistakes that a server or a disk could make.
    enum Fault {
        case idleSyncs
        /// A command that is sent again is carried out again.
        case repeatedCommand
        /// A command gets its outcome, and is not carried out.
        case droppedCommand
    }

    private struct Opened {
        let database: Database
        let writer: Writer
        let reader: Reader
        let catalog: ServedCatalog
    }

    private let folder = TemporaryFolder()
    private let disk: FaultyDisk
    private let path: String
    private let fault: Fault?
    private var random: SeededNumbers
    private var opened: Opened?
    private(set) var starts = 0
    /// Microseconds since 1970: of the server's clock and of all others.
    var time: Int64 = 1_700_000_000_000_000
    private var newest = Snapshot(
        revision: 0, cache: ColumnCacheBuilder(descriptions: [], wanted: []).finish(),
        numbers: LeafNumbers())
    private var touches = RecentTouches()
    /// After all commands that have an outcome.
    private(set) var model = CarModel()
    /// By revision.
    private(set) var states: [UInt64: CarModel.Rows] = [:]
    private var committed: [(sent: SentCommand, outcome: Outcome)] = []
    /// The first outcome of each command.
    private(set) var outcomes: [CommandName: Outcome] = [:]
    /// What is in a transaction that may have been committed or not.
    private var underWay: [SentCommand] = []
    /// The notes beside the file that may be found: each since the last that was synced.
    private var notes: [[UInt8]] = []

    init(seed: UInt64, _ fault: Fault?) throws {
        random = SeededNumbers(seed: seed, index: -1)
        self.fault = fault
        disk = FaultyDisk(folder, losesPower: true)
        let pageSize = [512, 1_024, 4_096][random.below(3)]
        path = try folder.database(
            "PRAGMA page_size = \(pageSize); CREATE TABLE cars (make TEXT, year INTEGER)")
        try start()
        disk.syncAll()
        repairDisk()
    }

    private func repairDisk() { disk.fail(fault == .idleSyncs ? .idleSyncs : nil) }

    var isOpen: Bool { opened != nil }
    var hasPower: Bool { disk.hasPower }

    /// - Parameter steps: of the disk.
    func losePower(after steps: Int) { disk.losePower(afterSteps: steps) }

    func complain(unless isRight: Bool, _ text: @autoclosure () -> String) throws {
        // Whoever has no power tells nobody anything.
        if !isRight, hasPower { throw Mistake(text: "\(text())") }
    }

    // MARK: Commands

    func newWriter(for station: Station) -> WriterID? {
        opened?.writer.newWriters.make(
            for: station.id, at: time,
            random: (UInt16(truncatingIfNeeded: random.next()), random.next()))
    }

    /// - Returns: nil if the power was lost meanwhile: then nobody is answered.
    func carryOut(_ batch: [SentCommand]) throws -> [CommandResult]? {
        guard let writer = opened?.writer else { return nil }
        underWay = batch.filter { outcomes[$0.command.name] == nil && $0.refusal == nil }
        var batches: [CommittedBatch] = []
        let losesPowerInSync = random.below(30) == 0
        let results = faulty(batch) { batch in
            writer.commit(
                batch, at: time,
                willCommit: { batch in
                    willCommit(batch)
                    if losesPowerInSync { disk.fail(.brokenSyncs) }
                },
                didCommit: { batches.append($0) })
        }
        if losesPowerInSync {
            disk.losePower()
            repairDisk()
        }
        noteIsWritten()
        guard hasPower else { return nil }
        for (sent, result) in zip(batch, results) {
            if sent.refusal != nil, case .failure = result { continue }
            guard case .success(let outcome) = result else {
                throw Mistake(text: "\(sent.command) has \(result)")
            }
            try take(outcome, of: sent)
        }
        underWay = []
        for batch in batches { try publish(batch) }
        return results
    }

    private func faulty(
        _ batch: [SentCommand], _ commit: ([SentCommand]) -> [CommandResult]
    ) -> [CommandResult] {
        switch fault {
        case .repeatedCommand:
            return commit(
                batch.map { sent in
                    var sent = sent
                    if outcomes[sent.command.name] != nil {
                        sent.command.name.number += UInt64(Limits.commandsRemembered) / 2
                        sent.command.group = sent.command.name.number
                    }
                    return sent
                })
        case .droppedCommand where underWay.count == batch.count && random.below(8) == 0:
            var (trial, revision) = (model, committed.last?.outcome.revision ?? newest.revision)
            return batch.map { sent in
                revision += 1
                let verdict: Verdict =
                    switch trial.carryOut(sent.command.change) {
                    case .applied(let rowIDs): .applied(rowIDs: rowIDs)
                    case .conflict(let rowIDs):
                        .conflict(
                            rowIDs.map {
                                Conflict(rowID: $0, theirs: .rowDeleted, station: "", time: 0)
                            })
                    }
                return .success(Outcome(revision: revision, time: time, verdict: verdict))
            }
        case .droppedCommand, .idleSyncs, nil: return commit(batch)
        }
    }

    /// An outcome is the first of its command, or the same as that.
    private func take(_ outcome: Outcome, of sent: SentCommand) throws {
        let name = sent.command.name
        if let first = outcomes[name] {
            return try complain(unless: outcome == first, "\(first) of \(name) became \(outcome)")
        }
        let before = committed.last?.outcome.revision ?? 0
        try complain(unless: outcome.revision > before, "\(outcome) after \(before)")
        let expected = model.carryOut(sent.command.change)
        try complain(
            unless: CarModel.Expected(outcome.verdict) == expected,
            "\(sent.command): \(outcome) instead of \(expected)")
        outcomes[name] = outcome
        committed.append((sent, outcome))
    }

    /// Moves the log into the file, maybe.
    func tidy() {
        if random.below(12) == 0 { try? opened?.writer.file().pagesInLog = .max >> 20 }
        try? opened?.writer.tidy()
        noteIsWritten()
    }

    // MARK: Rows in memory

    private func willCommit(_ batch: CommittedBatch) {
        touches.record(batch.changes.map(\.rowID), from: batch.before, to: batch.revision)
    }

    private func publish(_ batch: CommittedBatch) throws {
        guard batch.foreignChange == nil,
            let next = newest.applying(batch.changes, revision: batch.revision)
        else { throw Mistake(text: "\(batch) is not of the rows at \(newest.revision)") }
        newest = next
        try show()
    }

    private func load(_ opened: Opened) throws {
        newest = try opened.reader.reading(list: 0) { (revision) throws(ValetError) in
            var rows = ColumnCacheBuilder(
                descriptions: opened.database.catalog.lists[0].columns, wanted: [0, 1])
            try opened.reader.scan(list: 0, columns: [0, 1]) { row in
                rows.beginRow(row.id)
                for column in [0, 1] { rows.append(row[column], to: column) }
            }
            return Snapshot(revision: revision, cache: rows.finish(), numbers: LeafNumbers())
        }
        touches.forget(to: newest.revision)
        try show()
    }

    /// Clients may be told of the newest revision from now on.
    private func show() throws {
        guard hasPower else { return }
        let known = states.updateValue(model.rows, forKey: newest.revision)
        try complain(
            unless: known == nil || known == model.rows,
            "revision \(newest.revision) is there with other rows")
    }

    func arrange(_ specification: ArrangementSpecification) throws {
        for arrangement in try newest.building(specification) {
            newest = newest.adding(arrangement)
        }
    }

    /// - Returns: nil if the rows are no longer those of the page.
    func read(_ order: PageOrder) throws -> [ByteBuffer]? {
        guard let reader = opened?.reader else { return nil }
        let page = try PageBuilder(order, reader)
        let now = try reader.revision(ofList: 0)
        guard touches.isUntouched(order.rowIDs, after: order.revision, to: now) else { return nil }
        return page.encode(name: order.name)
    }

    // MARK: Ends and starts

    /// As a server does it, which opens its file anew when it was changed: here by a journal that
    /// takes back the beginning of the write-ahead log.
    func start() throws {
        starts += 1
        let logID = random.next() | 1
        try LeftLog.check(path)
        var found = try open(newLogID: logID)
        if try found.database.watch.change() != .none {
            let leftovers = LeftoverLog(of: found.database.watch)
            found.database.watch.close()
            opened = nil
            _ = try leftovers.setAside(isClosed: true)
            found = try open(newLogID: logID)
        }
        // Only a file with a log has a note, which is synced then.
        if found.database.hasLog { notes = [] }
        noteIsWritten()
        try check(found)
        try load(found)
    }

    private func open(newLogID: UInt64) throws -> Opened {
        let database = try Database(path: path, newLogID: newLogID, epoch: UInt64(starts))
        let writer = try Writer(of: database, address: "simulation")
        _ = try writer.file(at: time)
        let found = Opened(
            database: database, writer: writer, reader: try database.makeReader(),
            catalog: ServedCatalog(database.catalog))
        opened = found
        return found
    }

    func stop() { opened = nil }

    /// The server is killed, or its machine loses power.
    func crash(losesPower: Bool) throws {
        disk.losePower()
        // The system keeps what a process has written.
        if !losesPower { disk.syncAll() }
        opened?.database.watch.close()
        opened = nil
        if let note = disk.bytesAtLoss(of: notePath) { notes.append(note) }
        try disk.powerReturns(&random)
        for suffix in ["", "-wal", "-journal"] { makeDifferent(path + suffix) }
        try leaveNote(losesPower: losesPower)
    }

    /// However little time has passed, the system keeps another one of it.
    private func makeDifferent(_ path: String) {
        let date = Date(timeIntervalSince1970: 1_000_000_000 + Double(starts))
        try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    private var notePath: String { path + "-valet" }

    private func noteIsWritten() {
        guard hasPower, let note = FileManager.default.contents(atPath: notePath) else { return }
        notes.append(Array(note))
    }

    /// The note is not SQLite's: after a loss of power it is found as some writing of it left it,
    /// or not at all.
    private func leaveNote(losesPower: Bool) throws {
        let (isGone, isEarlier) = (random.below(20) == 0, random.below(2) == 0)
        let place = random.below(max(1, notes.count))
        guard let newest = notes.last, !losesPower || !isGone else {
            notes = []
            try? FileManager.default.removeItem(atPath: notePath)
            return
        }
        let note = losesPower && isEarlier ? notes[place] : newest
        var lines = String(decoding: note, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if losesPower { lines[1] = lines[1].replacing(MachineStart.name, with: "earlier") }
        // A note of another time than the file's own is none, and the thread may have to wait.
        for _ in 0..<5 {
            lines[2] = "\(WallClock.now())"
            let text = lines.joined(separator: "\n")
            try TemporaryFolder.overwrite(notePath, with: Data(text.utf8))
            notes = [Array(text.utf8)]
            if Ownership.note(of: path) != nil { return }
        }
    }

    // MARK: What is found

    private func check(_ opened: Opened) throws {
        let integrity = try texts("PRAGMA integrity_check")
        try complain(unless: integrity == ["ok"], "\(integrity)")
        let told = committed.map { "\($0.outcome.revision)" }
        let logged = try texts("SELECT revision FROM _valet_log ORDER BY revision")
        try complain(
            unless: logged.starts(with: told)
                && [0, underWay.count].contains(logged.count - told.count),
            "\(told) and \(underWay.count) more became \(logged)")
        let all = committed.map(\.sent) + (logged.count > told.count ? underWay : [])
        let again = opened.writer.commit(all, at: time)
        guard hasPower else { return }
        for (sent, result) in zip(all, again) { try take(try result.get(), of: sent) }
        underWay = []
        try complain(
            unless: committed.map { "\($0.outcome.revision)" } == logged,
            "what was under way is \(committed.map(\.outcome.revision)), not \(logged)")
        let rows = try rows()
        try complain(unless: rows == model.rows, "the file has other rows than \(model.rows.count)")
    }

    private func rows() throws -> CarModel.Rows {
        let statement = try Connection(path: path).prepare("SELECT rowid, make, year FROM cars")
        var rows: CarModel.Rows = [:]
        while try statement.step() {
            rows[statement.integer(0)] = [1, 2].map { statement.cell($0, limit: 1 << 20) }
        }
        return rows
    }

    private func texts(_ sql: String) throws -> [String] {
        let statement = try Connection(path: path).prepare(sql)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(0) ?? "") }
        return texts
    }

    /// Once it is closed.
    func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
}

extension CommittedBatch {
    fileprivate var changes: [RowChange] {
        commands.flatMap { command in
            command.effects.first { $0.list == 0 }?.changes ?? []
        }
    }
}

extension SimulatedFile: SessionSurroundings {
    var epoch: UInt64 { UInt64(starts) }
    var validEpochs: Set<UInt64> { opened?.database.validEpochs ?? [] }
    var serverName: String { "simulation" }
    var servingNode: ServingNode? { nil }
    var refusalOfChanges: ValetError? { nil }
    var now: NIODeadline { .uptimeNanoseconds(UInt64(time) * 1_000) }

    func visitor(with token: [UInt8]?, orKey key: KeyFingerprint?) -> Visitor? { nil }
    func catalog(for access: PrincipalAccess?) -> ServedCatalog { opened?.catalog ?? .nothing }
    func snapshot(ofList list: Int) -> Snapshot? { isOpen ? newest : nil }
    func projection(list: Int, columns: [Int], left: inout Int) -> Projection {
        Projection(number: 1, columns: columns)
    }
}
