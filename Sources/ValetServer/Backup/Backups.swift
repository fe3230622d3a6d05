import NIOCore
import Synchronization
import ValetModel
import ValetStore

/// Copies the served file while it is used, one copy at a time.
final class Backups: Sendable {
    typealias Answer<Value> = @Sendable (Result<Value, ValetError>) -> Void

    private let writer: FileWriter?
    private let builders: ReaderPool
    private let isCopying = Atomic(false)
    private let state = Mutex(Counts())

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
    /// - Parameter answer: called on another thread, or at once.
    func make(cancelled: StopFlag, _ answer: @escaping Answer<BackupFile>) {
        do throws(ValetError) {
            let folder = try ScratchFolder()
            copy(
                to: folder.path + "/copy", cancelled: cancelled,
                using: { path throws(ValetError) in
                    try BackupFile(path, in: folder, cancelled: cancelled)
                }, answer)
        } catch {
            answer(.failure(error))
        }
    }

    /// - Parameters:
    ///   - path: of a file that isn't there yet.
    ///   - use: what is done with the copy before another one may be made.
    func copy<Value: Sendable>(
        to path: String, cancelled: StopFlag,
        using use: @escaping @Sendable (String) throws(ValetError) -> Value,
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
                    if !isCopied {
                        try reader.copy(to: path, cancelled: { cancelled.isSet })
                    }
                    return try use(path)
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

/// A copy of the served file, which goes when nobody uses it.
final class BackupFile: Sendable {
    let description: BackupDescription
    private let folder: ScratchFolder
    private let file: OpenedFile

    init(_ path: String, in folder: ScratchFolder, cancelled: StopFlag) throws(ValetError) {
        self.folder = folder
        file = try OpenedFile(path)
        description = BackupDescription(
            revision: try CopiedFile(path).revision, byteCount: file.byteCount,
            digest: try file.digest(cancelled: { cancelled.isSet }))
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
}
