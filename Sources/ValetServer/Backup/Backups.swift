import NIOCore
import ValetModel
import ValetStore

import struct Synchronization.Atomic

/// Copies the served file while it is used, one copy at a time.
final class Backups: Sendable {
    typealias Answer<Value> = @Sendable (Result<Value, ValetError>) -> Void

    private let writer: FileWriter?
    private let builders: ReaderPool
    private let isCopying = Atomic(false)
    private let state = Mutex(Counts())
    /// Copies that clients hold.
    private let held = Admission(limit: Limits.backupsHeld)

    struct Counts: Sendable {
        var made = 0
        var failed = 0
        /// When the last one was made.
        var last: NIODeadline?
    }

    /// Since the file was opened.
    var counts: Counts { state.withLock { $0 } }

    init(writer: FileWriter?, builders: ReaderPool) {
        (self.writer, self.builders) = (writer, builders)
    }

    /// Makes a copy for a client.
    /// - Parameters:
    ///   - old: the one of before, which is given up first: it takes room.
    ///   - answer: called on another thread, or at once.
    func make(
        inPlaceOf old: consuming BackupFile?, cancelled: StopFlag,
        _ answer: @escaping Answer<BackupFile>
    ) {
        let old = Mutex(old)
        builders.submit { [self] reader in
            old.withLock { $0 = nil }
            do throws(ValetError) {
                _ = try reader.get()
                let place = try BackupPlace(of: held)
                copy(
                    to: place.path, cancelled: cancelled,
                    using: { _, isCancelled throws(ValetError) in
                        try BackupFile(at: place, cancelled: isCancelled)
                    }, answer)
            } catch {
                answer(.failure(error))
            }
        }
    }

    /// Reads a copy, on a thread that may wait.
    func read(_ body: @escaping @Sendable () -> Void) { builders.submit { _ in body() } }

    /// Gives a copy up: to remove a large file takes a while.
    func free(_ backup: consuming BackupFile) { builders.free(backup) }

    /// - Parameters:
    ///   - path: of a file that isn't there yet.
    ///   - use: what is done with the copy before another one may be made.
    func copy<Value: Sendable>(
        to path: String, cancelled: StopFlag,
        using use:
            @escaping @Sendable (String, _ cancelled: () -> Bool) throws(ValetError) -> Value,
        _ answer: @escaping Answer<Value>
    ) {
        guard !isCopying.exchange(true, ordering: .acquiring) else {
            return answer(
                .failure(ValetError(.busy, "a backup is being made already: try again later")))
        }
        let finish: @Sendable (Result<Bool, ValetError>) -> Void = { [self] isCopied in
            builders.submit { [self] reader in
                let result = Result { () throws(ValetError) in
                    let (isCopied, reader) = (try isCopied.get(), try reader.get())
                    let isCancelled = { cancelled.isSet || self.builders.isStopping }
                    if !isCopied { try reader.copy(to: path, cancelled: isCancelled) }
                    return try use(path, isCancelled)
                }
                state.withLock { counts in
                    if case .success = result {
                        (counts.made, counts.last) = (counts.made + 1, .now())
                    } else {
                        counts.failed += 1
                    }
                }
                isCopying.store(false, ordering: .releasing)
                answer(result)
            }
        }
        guard let writer else { return finish(.success(false)) }
        writer.copy(to: path, cancelled: cancelled, finish)
    }
}

/// A private folder for a copy, of which there are so many.
private final class BackupPlace: Sendable {
    private let held: Admission
    private let folder: ScratchFolder

    init(of held: Admission) throws(ValetError) {
        guard held.enter() else {
            throw ValetError(
                .busy, "\(held.limit) backups are being read already: try again later")
        }
        do throws(ValetError) {
            folder = try ScratchFolder()
        } catch {
            held.leave()
            throw error
        }
        self.held = held
    }

    deinit { held.leave() }

    var path: String { folder.path + "/copy" }
}

/// A copy of the served file, which goes when nobody uses it.
final class BackupFile: Sendable {
    let description: BackupDescription
    private let place: BackupPlace
    private let file: OpenedFile

    fileprivate init(
        at place: BackupPlace, cancelled: () -> Bool
    ) throws(ValetError) {
        self.place = place
        file = try OpenedFile(place.path)
        description = BackupDescription(
            revision: try CopiedFile(place.path).revision, byteCount: file.byteCount,
            digest: try file.digest(cancelled: cancelled))
    }

    /// - Parameter digest: of the block that the client has.
    /// - Returns: the block, and whether the client has it.
    func block(
        _ number: Int, unless digest: [UInt8]
    ) throws(ValetError) -> (bytes: [UInt8], isKnown: Bool) {
        guard number < description.blockCount else {
            throw .limit("blocks of the backup", is: description.blockCount, asked: number)
        }
        let bytes = try file.read(description.bytes(ofBlock: number))
        return (bytes, digest == OpenedFile.digest(of: bytes))
    }

    /// Blocks from one on, without a gap: at least one.
    func blocks(from first: Int, most: Int) throws(ValetError) -> [UInt8] {
        let count = description.blockCount
        guard first < count else {
            throw .limit("blocks of the backup", is: count, asked: first)
        }
        let last = min(first + most, count) - 1
        let start = description.bytes(ofBlock: first).lowerBound
        return try file.read(start..<description.bytes(ofBlock: last).upperBound)
    }
}
