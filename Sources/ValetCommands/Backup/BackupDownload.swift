import Foundation
import ValetClient
import ValetModel
import ValetStore

/// Brings a server's backup into a file: what isn't there yet, block by block.
///
/// The blocks come into `FILE.partial`, which gets its name when it is whole and checked. If this
/// ends before that, the next one goes on with it.
struct BackupDownload {
    let connection: ValetConnection
    let path: String

    struct Result: Sendable {
        let backup: BackupDescription
        /// Bytes that were not there yet.
        let received: Int
    }

    /// Requests under way: with answers of 32 KiB at most, fewer bytes than a server keeps for a
    /// client that reads slowly.
    private static let inFlight = 16

    /// - Parameter progress: called with bytes that are there, and bytes in all.
    func run(_ progress: @escaping (String) -> Void) async throws -> Result {
        let partial = try OpenedFile(path + ".partial", creates: true)
        guard partial.lock(), partial.isAtItsPath else {
            throw ValetError(
                .busy, "another program writes “\(path).partial”: wait until it has finished")
        }
        let old = FileManager.default.fileExists(atPath: path) ? try OpenedFile(path) : nil
        progress("the server copies its file")
        let backup = try await connection.makeBackup()
        let received = try await fill(partial, old, from: backup, progress)
        try partial.resize(to: backup.byteCount)
        progress("checking")
        guard try partial.digest() == backup.digest else {
            throw ValetError(
                .storageFailed,
                "“\(path).partial” is not what was written to it: check the disk, remove the file, "
                    + "and try again")
        }
        let copy = try CopiedFile(path + ".partial")
        try copy.check()
        try copy.move(to: path)
        return Result(backup: backup, received: received)
    }

    private func fill(
        _ partial: OpenedFile, _ old: OpenedFile?, from backup: BackupDescription,
        _ progress: (String) -> Void
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            var (next, done, received) = (0, 0, 0)
            func ask() {
                guard next < backup.blockCount else { return }
                let block = next
                next += 1
                group.addTask { try await bring(block, of: backup, partial, old) }
            }
            for _ in 0..<Self.inFlight { ask() }
            while let bytes = try await group.next() {
                received += bytes
                done += 1
                progress(
                    "copied \(((done * Limits.bytesPerBlock) >> 20).grouped) of "
                        + "\((backup.byteCount >> 20).grouped) MiB")
                ask()
            }
            return received
        }
    }

    /// - Returns: bytes that were not there yet.
    private func bring(
        _ block: Int, of backup: BackupDescription, _ partial: OpenedFile, _ old: OpenedFile?
    ) async throws -> Int {
        let place = backup.bytes(ofBlock: block)
        let here = try partial.read(place)
        let isHere = here.count == place.count
        let known = isHere ? here : try old?.read(place) ?? []
        let new = try await connection.block(
            block, of: backup, unless: OpenedFile.digest(of: known))
        if let new {
            try partial.write(new, at: place.lowerBound)
        } else if !isHere {
            try partial.write(known, at: place.lowerBound)
        }
        return new?.count ?? 0
    }
}
