import Collections
import NIOCore
import ValetModel
import ValetProtocol

/// What one client has sent, and what of it must wait: for the client's turn, or until the client
/// reads its answers.
struct Inbox {
    /// A whole frame, taken out of the bytes.
    struct Incoming {
        /// nil for a frame that may be skipped.
        let message: ClientMessage?
        let stream: UInt16
        let cost: Int
    }

    private(set) var received = ByteBuffer()
    /// Taken, and too costly for what was left of a turn.
    private var held: Incoming?
    /// Catalogs that are being sent: until they are out, no frame is taken.
    var catalogs: Deque<CatalogFeed> = []
    /// Something could be answered, and has to wait.
    var isHeldUp = false
    /// A turn was asked for, and has not come.
    var isTurnDue = false
    /// The channel wants to read as soon as nothing is held up.
    var wantsRead = false

    var isEmpty: Bool { received.readableBytes == 0 && held == nil && catalogs.isEmpty }

    /// Bytes of a frame that is not whole.
    var partialBytes: Int { received.readableBytes }

    /// Memory that these take.
    var bytesKept: Int { received.readableBytes == 0 ? 0 : received.storageCapacity }

    mutating func append(_ bytes: ByteBuffer) {
        var bytes = bytes
        if received.readableBytes == 0 { received = bytes } else { received.writeBuffer(&bytes) }
    }

    /// The next frame; nil when none is whole.
    mutating func next(isGreeted: Bool) throws(ValetError) -> Incoming? {
        if let held = held.take() { return held }
        let limit =
            isGreeted ? Limits.bytesPerClientFrame : Limits.bytesPerFrameBeforeWelcome
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

    /// Gives back the memory of what was taken, so that a quiet connection costs none.
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
