import NIOCore
import ValetArrangement
import ValetModel
import ValetStore

import struct Synchronization.Atomic

/// One list as it is at one revision, for a view that is pinned to it: its order and key columns
/// in memory, and a reader that reads all else of that revision.
///
/// In WAL mode the reader keeps one transaction open, so other programs go on writing, and the
/// write-ahead log can't begin anew: the pin ends when it is too old, or the log too long. In other
/// modes a transaction would keep them from writing, so there a row is read only if the file is
/// still as it was.
final class Pin: Sendable {
    let snapshot: Snapshot
    let list: KeptList
    /// Bytes of what was read in and put in order for this pin alone.
    private let ownBytes: Atomic<Int>
    /// With the columns that surveys have read in since.
    private let widened: Mutex<Snapshot>
    private let until: NIODeadline
    private let reader: Mutex<Reader?>
    private let isOver = Atomic(false)

    init(
        _ snapshot: Snapshot, of list: KeptList, ownBytes: Int, reader: sending Reader,
        until: NIODeadline
    ) {
        self.snapshot = snapshot
        self.list = list
        self.ownBytes = Atomic(ownBytes)
        widened = Mutex(snapshot)
        self.until = until
        self.reader = Mutex(reader)
    }

    deinit {
        list.loader.budget.giveBack(ownBytes.load(ordering: .relaxed))
    }

    /// The rows with these columns in memory, too. On a thread that may wait.
    func snapshot(
        with columns: Set<Int>, isCancelled: @escaping @Sendable () -> Bool
    ) throws(ValetError) -> Snapshot {
        let known = widened.withLock { $0 }
        let missing = columns.filter { known.cache.columns[$0] == nil }.sorted()
        if missing.isEmpty { return known }
        let added = try read { [loader = list.loader] reader throws(ValetError) in
            try loader.add(
                missing, to: known.cache, of: known.revision, from: reader,
                isCancelled: isCancelled)
        }
        ownBytes.add(added.byteCount, ordering: .relaxed)
        let wider = known.adding(
            added.columns, readWith: known.cache.slotCount, missing: MissedChanges())
        widened.withLock { $0 = wider }
        return wider
    }

    /// Reads rows of the pinned revision, on a thread that may wait.
    func read<Value: Sendable>(
        _ body: @Sendable (Reader) throws(ValetError) -> Value
    ) throws(ValetError) -> Value {
        try reader.withLock { (reader) throws(ValetError) -> Value in
            guard let reader, !isOver.load(ordering: .relaxed) else { throw Self.expired }
            return try reader.readingPinned { () throws(ValetError) in try body(reader) }
        }
    }

    /// Whether it has lasted too long, or keeps too much of the file's log.
    func isDue(at now: NIODeadline) -> Bool {
        now > until || reader.withLockIfAvailable { $0?.keepsTooMuchLog == true } == true
    }

    /// Ends the transaction: what is not in memory can't be read any more. Waits for a reading.
    func end() {
        reader.withLock { $0 = nil }
    }

    /// Lets no other reading begin.
    /// - Returns: false if the transaction goes on for one that has begun.
    func endIfUnread() -> Bool {
        isOver.store(true, ordering: .relaxed)
        return reader.withLockIfAvailable { $0 = nil } != nil
    }

    private static let expired = ValetError(
        .expired,
        "the rows of one moment were kept for \(Limits.secondsPerPin) s, or until the file's "
            + "log took \(Limits.bytesOfLogPerPin) bytes: ask for fewer rows, or try again")
}

extension Pin: Hashable {
    static func == (one: Pin, other: Pin) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The pins of all views of a file.
final class Pins: Sendable {
    private struct State {
        var pins: Set<Pin> = []
        /// The file is closed: a pin that was being made meanwhile must not keep it open.
        var isClosed = false
    }

    private let state = Mutex(State())

    func add(_ pin: Pin) throws(ValetError) {
        try state.withLock { (state) throws(ValetError) in
            guard !state.isClosed else { throw .shuttingDown }
            guard state.pins.count < Limits.pins else {
                throw ValetError(.busy, "\(Limits.pins) views are pinned already: try again later")
            }
            state.pins.insert(pin)
        }
    }

    /// The view is closed.
    func remove(_ pin: Pin) {
        _ = state.withLock { $0.pins.remove(pin) }
        pin.end()
    }

    /// The file is closed.
    func close() {
        let all = state.withLock { state in
            state.isClosed = true
            return exchange(&state.pins, with: [])
        }
        for pin in all { pin.end() }
    }

    /// Ends those that have lasted too long; those that are being read when it is called again.
    func look(at now: NIODeadline) {
        for pin in state.withLock(\.pins) where pin.isDue(at: now) && pin.endIfUnread() {
            _ = state.withLock { $0.pins.remove(pin) }
        }
    }
}

extension KeptList {
    /// Pins the list at the file's newest revision, as it is published with that revision, or
    /// about to be. If it is not, the list is read and put in order once more. Runs on a thread of
    /// the pool.
    ///
    /// - Parameter reader: the thread's, of the same file.
    func pin(
        _ specification: ArrangementSpecification, _ reader: Reader,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(ValetError) -> Pin {
        let until = NIODeadline.now() + .seconds(Int64(Limits.secondsPerPin))
        var own = try reader.makeAnother()
        var revision = try own.pin(list: list)
        for _ in 0..<Limits.pinAttempts {
            // Commits that the reader sees may be about to be published.
            if snapshot.map({ $0.revision < revision }) == true { publisher.settle() }
            guard let snapshot, snapshot.arrangements[specification] != nil,
                snapshot.revision >= revision
            else { break }
            if isCopied || snapshot.revision == revision {
                // The copy's rows are the same in all revisions since.
                own.answersName(snapshot.revision)
                return Pin(snapshot, of: self, ownBytes: 0, reader: own, until: until)
            }
            own = try reader.makeAnother()
            revision = try own.pin(list: list)
        }
        publisher.willTell(ofOthers: reader.othersRevision)
        let loaded = try loader.loadAlone(
            specification.columns.sorted(), from: own, isCancelled: isCancelled)
        do {
            var snapshot = Snapshot(revision: revision, cache: loaded.cache, numbers: numbers)
            var bytes = loaded.byteCount
            for built in try snapshot.building(specification, isCancelled: isCancelled) {
                snapshot = snapshot.adding(built)
                loader.budget.charge(built.byteCount)
                bytes += built.byteCount
            }
            return Pin(snapshot, of: self, ownBytes: bytes, reader: own, until: until)
        } catch {
            loader.budget.giveBack(loaded.byteCount)
            throw .abandoned
        }
    }
}
