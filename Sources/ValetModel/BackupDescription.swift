/// A copy that a server has made of its file. It is read in blocks of 32 KiB; the last one may be
/// shorter.
public struct BackupDescription: Hashable, Sendable {
    /// Of the newest command in it; 0 if it has none.
    public var revision: UInt64
    public var byteCount: Int
    /// SHA-256 of all bytes.
    public var digest: [UInt8]

    public init(revision: UInt64, byteCount: Int, digest: [UInt8]) {
        (self.revision, self.byteCount, self.digest) = (revision, byteCount, digest)
    }

    public var blockCount: Int {
        let (whole, rest) = byteCount.quotientAndRemainder(dividingBy: Limits.bytesPerBlock)
        return whole + (rest > 0 ? 1 : 0)
    }

    /// Where a block is; empty for one that there is not.
    public func bytes(ofBlock block: Int) -> Range<Int> {
        guard 0..<blockCount ~= block else { return 0..<0 }
        let start = block * Limits.bytesPerBlock
        return start..<start + min(Limits.bytesPerBlock, byteCount - start)
    }
}
