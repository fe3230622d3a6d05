import ValetModel

/// Tells one state of a file from another by a small part of it: blocks all over it.
struct FileSample: Equatable {
    private let byteCount: Int64
    /// A hash of each block.
    private let blocks: [UInt64]
    /// For a note.
    let digest: UInt64

    /// nil if the blocks can't be read.
    init?(byteCount: Int64, bytes: (_ offset: Int64, _ count: Int) -> [UInt8]?) {
        var blocks: [UInt64] = []
        for range in Self.ranges(in: byteCount) {
            guard let block = bytes(range.lowerBound, range.count) else { return nil }
            blocks.append(ValueDigest(of: block).hash)
        }
        (self.byteCount, self.blocks) = (byteCount, blocks)
        let bytes =
            withUnsafeBytes(of: byteCount) { Array($0) }
            + blocks.flatMap { hash in withUnsafeBytes(of: hash) { Array($0) } }
        digest = ValueDigest(of: bytes).hash
    }

    /// Each in one page: the smallest page is as long as a block.
    private static func ranges(in byteCount: Int64) -> [Range<Int64>] {
        let (count, length) = (Int64(Limits.blocksPerSample), Int64(Limits.bytesPerSampledBlock))
        let (step, rest) = max(0, byteCount - 1).quotientAndRemainder(dividingBy: count - 1)
        return (0..<count).compactMap { place in
            let target = step * place + rest * place / (count - 1)
            let offset = target - target % length
            let block = min(length, byteCount - offset)
            return block > 0 ? offset..<offset + block : nil
        }
    }

    /// The blocks that are others now. The first is the same one in a file of any size.
    func changes(since earlier: FileSample) -> [Range<Int64>] {
        let count = byteCount == earlier.byteCount ? blocks.count : 1
        return zip(Self.ranges(in: byteCount), zip(blocks, earlier.blocks)).prefix(count)
            .compactMap { $1.0 == $1.1 ? nil : $0 }
    }
}
