/// A client process that writes: named by the server that it asks, before anything is stored.
///
/// It begins with the time at which it was made, 48 bits of milliseconds since 1970, so that a
/// server knows of a writer that it does not know whether it may be one that it has forgotten. The
/// other 80 bits are random: nobody guesses another station's writer, and those of two copies of a
/// file differ.
public struct WriterID: Hashable, Sendable {
    public var high: UInt64
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameters:
    ///   - microseconds: the time now, since 1970, UTC.
    ///   - random: one after the other.
    package init(at microseconds: Int64, random: (UInt16, UInt64)) {
        self.init(
            high: UInt64(clamping: microseconds / 1_000) << 16 | UInt64(random.0), low: random.1)
    }

    /// When it was made: milliseconds since 1970.
    package var milliseconds: Int64 { Int64(high >> 16) }
}

extension WriterID: CustomStringConvertible {
    public var description: String {
        [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
