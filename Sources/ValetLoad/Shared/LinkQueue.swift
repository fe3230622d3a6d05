import NIOCore

/// A link slower than the loopback: how long bytes are on the way, and how many a second it takes.
struct SlowLink: Hashable, Sendable {
    /// Of each direction.
    var delay: TimeAmount
    /// In each direction; as many as come, without it.
    var bytesPerSecond: Int?
}

/// The bytes on the way in one direction of a link, without I/O. Time is a parameter.
struct LinkQueue {
    private let link: SlowLink
    private var bytes = CircularBuffer<(due: NIODeadline, bytes: ByteBuffer)>()
    /// When the last byte was on the link.
    private var free = NIODeadline.distantPast
    private(set) var byteCount = 0

    /// While more wait, no more is read, so that the sender notices.
    static let mostBytes = 64 << 10

    init(_ link: SlowLink) {
        self.link = link
    }

    var isFull: Bool { byteCount >= Self.mostBytes && link.bytesPerSecond != nil }

    mutating func add(_ bytes: ByteBuffer, at now: NIODeadline) {
        free = max(free, now)
        if let rate = link.bytesPerSecond {
            free = free + .nanoseconds(Int64(bytes.readableBytes) * 1_000_000_000 / Int64(rate))
        }
        self.bytes.append((free + link.delay, bytes))
        byteCount += bytes.readableBytes
    }

    /// When the next bytes arrive.
    var next: NIODeadline? { bytes.first?.due }

    /// Removes and returns what has arrived.
    mutating func arrived(at now: NIODeadline) -> [ByteBuffer] {
        var arrived: [ByteBuffer] = []
        while let first = bytes.first, first.due <= now {
            bytes.removeFirst()
            byteCount -= first.bytes.readableBytes
            arrived.append(first.bytes)
        }
        return arrived
    }
}
