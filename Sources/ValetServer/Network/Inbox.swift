import DequeModule
import NIOCore
import ValetModel
import ValetProtocol

import struct Synchronization.Atomic

/// Received bytes that wait for the client's turn, or until the client reads its answers.
struct Inbox {
    /// A complete frame.
    struct Incoming {
        /// nil for a frame that may be skipped.
        let message: ClientMessage?
        let stream: UInt16
        let cost: Int
    }

    private(set) var received = ByteBuffer()
    /// A frame that was too costly for the rest of a turn.
    private var held: Incoming?
    /// Catalogs in progress: no frame is taken until they are sent.
    var catalogs: Deque<CatalogFeed> = []
    /// An answer could be given, but must wait.
    var isHeldUp = false
    /// A turn was requested and has not begun.
    var isTurnDue = false
    /// The channel wants to read once nothing is held up.
    var wantsRead = false

    var isEmpty: Bool { received.readableBytes == 0 && held == nil && catalogs.isEmpty }

    /// Bytes of an incomplete frame.
    var partialBytes: Int { received.readableBytes }

    /// The memory that they take.
    var bytesKept: Int { received.readableBytes == 0 ? 0 : received.storageCapacity }

    mutating func append(_ bytes: ByteBuffer) {
        var bytes = bytes
        if received.readableBytes == 0 { received = bytes } else { received.writeBuffer(&bytes) }
    }

    /// The next frame; nil if none is complete.
    mutating func next(isGreeted: Bool) throws(ValetError) -> Incoming? {
        if let held = held.take() { return held }
        if !isGreeted, TLSRecord.begins(received.readableBytesView) == true {
            throw ValetError(
                .limitExceeded, "this server does not speak TLS: write valet:// for valets://")
        }
        let limit = isGreeted ? Limits.bytesPerClientFrame : Limits.bytesPerFrameBeforeWelcome
        guard received.readableBytes > 0,
            let frame = try Frame(takingFrom: &received, payloadLimit: limit)
        else { return nil }
        let message = try ClientMessage(frame: frame)
        return Incoming(
            message: message, stream: frame.stream,
            cost: message?.cost(byteCount: frame.payload.readableBytes) ?? 1)
    }

    mutating func hold(_ incoming: Incoming) {
        held = incoming
        isHeldUp = true
    }

    /// Releases the memory of consumed bytes, so that an idle connection costs none.
    mutating func giveBack() {
        if received.readableBytes == 0 {
            received = ByteBuffer()
        } else {
            received.discardReadBytes()
        }
    }

    /// Drops everything.
    mutating func clear() {
        (received, held, catalogs, isHeldUp) = (ByteBuffer(), nil, [], false)
    }
}

/// Counts the bytes of unfinished frames of all clients, up to a limit.
///
/// Above it, clients that hold more than an even share are disconnected; small frames are accepted
/// even then.
final class UnfinishedFrames: Sendable {
    private let limit: Int
    private let share: Int
    private let taken = Atomic(0)

    init(limit: Int = Limits.bytesOfUnfinishedFrames, connections: Int = Limits.connections) {
        self.limit = limit
        share = limit / connections
    }

    var bytes: Int { taken.load(ordering: .relaxed) }

    /// A connection now holds `now` bytes, and held `before`.
    func change(from before: Int, to now: Int) {
        taken.add(now - before, ordering: .relaxed)
    }

    /// The reason to disconnect a connection that holds so many bytes, if it must go.
    func excess(of bytes: Int) -> ValetError? {
        let all = self.bytes
        guard all > limit, bytes > share else { return nil }
        return .limit("bytes of unfinished frames", is: limit, asked: all)
    }
}
