import ValetModel
import ValetProtocol

extension ValetConnection {
    /// Has the server copy its file as it is now. The copy is there until the connection ends or
    /// asks for another one.
    /// - Throws: `.notAllowed` for a station that may not see everything, `.busy` while the server
    ///   makes another one.
    public func makeBackup() async throws(ValetError) -> BackupDescription {
        try await answer(
            to: Request { request, _ in
                .backupRequest(BackupRequest(request: request))
            } reading: {
                if case .backup(let backup) = $0 { backup } else { nil }
            })
    }

    /// A block of the copy.
    /// - Parameter digest: SHA-256 of the bytes that are known for this block.
    /// - Returns: nil if these are the right ones.
    public func block(
        _ number: Int, of backup: BackupDescription, unless digest: [UInt8] = []
    ) async throws(ValetError) -> [UInt8]? {
        let answer = try await answer(
            to: Request { request, _ in
                .blockRequest(
                    BlockRequest(request: request, block: number, digest: digest))
            } reading: {
                if case .block(let block) = $0 { block } else { nil }
            })
        do throws(ValetError) {
            return try answer.block(of: backup.bytes(ofBlock: number).count)
        } catch {
            await close()
            throw error
        }
    }
}
