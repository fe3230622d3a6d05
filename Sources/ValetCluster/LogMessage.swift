import Crypto
import ValetModel

/// What stands in the log of a cluster, at one place.
///
/// A message names the last one that counts, by its hash, and the leadership under which it was
/// made: `LogChain` finds out which messages count by these alone.
///
///     bytes "valet", u8 version, u8 kind, u64 log id, 32 bytes hash of the last one that counts,
///     u64 epoch, u64 incarnation, u8 length and bytes of the node's name, body
///
/// Numbers are big endian. The body of `lead` is 8 bytes that make it one of its own; that of
/// `entry` is an entry of the file's log; `nothing` has none.
package struct LogMessage: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// A new leadership begins.
        case lead = 1
        case entry = 2
        /// Tells whoever waits for it how far the log is.
        case nothing = 3
    }

    package var kind: Kind
    package var logID: UInt64
    package var previous: MessageHash
    package var leadership: Leadership
    package var body: [UInt8]

    package init(
        _ kind: Kind, logID: UInt64, previous: MessageHash, leadership: Leadership, body: [UInt8]
    ) {
        (self.kind, self.logID, self.previous) = (kind, logID, previous)
        (self.leadership, self.body) = (leadership, body)
    }

    static let version: UInt8 = 1
    private static let mark = Array("valet".utf8)
    /// Of a message.
    package static let mostBytes = 512 * 1_024
    /// Of a body, whatever else the message has.
    package static let mostBodyBytes = Limits.bytesPerNodeEntry

    package var bytes: [UInt8] {
        var bytes = Self.mark + [Self.version, kind.rawValue]
        bytes.add(logID)
        bytes += previous.bytes
        bytes.add(leadership.epoch)
        bytes.add(leadership.incarnation)
        bytes.append(UInt8(clamping: leadership.node.utf8.count))
        return bytes + leadership.node.utf8 + body
    }

    /// What bytes of the log are.
    package enum Read: Equatable, Sendable {
        case message(LogMessage)
        /// Not one of ours, or a damaged one.
        case stranger
        /// One of a later version: what it does to the file is not known here.
        case newer(version: UInt8)
    }

    package static func read(_ bytes: [UInt8], logID: UInt64) -> Read {
        var reader = ByteReader(bytes)
        guard bytes.count <= mostBytes, reader.take(mark.count).map(Array.init) == mark,
            let version = reader.take(1)?.first, let rawKind = reader.take(1)?.first,
            reader.number(bytes: 8) == logID
        else { return .stranger }
        guard version == Self.version else {
            return version > Self.version ? .newer(version: version) : .stranger
        }
        guard
            let previous = reader.take(MessageHash.byteCount).flatMap({ MessageHash(Array($0)) }),
            let epoch = reader.number(bytes: 8), let incarnation = reader.number(bytes: 8),
            let length = reader.take(1)?.first, let name = reader.take(Int(length)),
            let node = String(validating: name, as: UTF8.self),
            Leadership.isName(node), let kind = Kind(rawValue: rawKind)
        else { return .stranger }
        return .message(
            LogMessage(
                kind, logID: logID, previous: previous,
                leadership: Leadership(epoch: epoch, node: node, incarnation: incarnation),
                body: reader.end))
    }
}

/// Who may append to the log, from the message `lead` that begins it to the next.
package struct Leadership: Hashable, Sendable {
    /// Counts leaderships, from 1 on.
    package var epoch: UInt64
    package var node: String
    /// Another each time that the node's process starts.
    package var incarnation: UInt64

    package init(epoch: UInt64, node: String, incarnation: UInt64) {
        (self.epoch, self.node, self.incarnation) = (epoch, node, incarnation)
    }

    /// Of a node's name, which is not empty.
    package static let mostNameBytes = 64

    package static func isName(_ node: String) -> Bool {
        !node.isEmpty && node.utf8.count <= mostNameBytes
    }

    /// Before the first.
    package static let none = Leadership(epoch: 0, node: "", incarnation: 0)
}

/// SHA-256 of a message's bytes.
package struct MessageHash: Hashable, Sendable {
    package let bytes: [UInt8]
    static let byteCount = 32

    /// Of what is before the first message.
    package static let none = MessageHash(unchecked: Array(repeating: 0, count: byteCount))

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// nil if it is none.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    package init(of message: [UInt8]) { bytes = Array(SHA256.hash(data: message)) }
}
