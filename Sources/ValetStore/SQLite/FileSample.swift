import ValetModel

/// Tells one state of a file from another by a small part of it.
enum FileSample {
    /// A digest of the file's size and of blocks all over it; nil if these can't be read.
    static func digest(
        size: Int64, bytes: (_ offset: Int64, _ count: Int) -> [UInt8]?
    ) -> UInt64? {
        let (count, length) = (Int64(Limits.blocksPerSample), Int64(Limits.bytesPerSampledBlock))
        let (step, rest) = max(0, size - length).quotientAndRemainder(dividingBy: count - 1)
        var sampled: [UInt8] = withUnsafeBytes(of: size) { Array($0) }
        for place in 0..<count {
            let offset = step * place + rest * place / (count - 1)
            let block = min(length, size - offset)
            guard block > 0 else { break }
            guard let read = bytes(offset, Int(block)) else { return nil }
            sampled += read
        }
        return ValueDigest(of: sampled).hash
    }
}
