/// How far a node has taken the log in, and which of its messages count.
///
/// A message counts if it names the last one that counts, and the leadership that holds; `lead`
/// counts if it names the epoch that follows. So two messages that name the same one are never both
/// counted, whoever made them and whatever was answered: the first in the log does, and every node
/// that reads the log finds the same.
package struct LogChain: Hashable, Sendable {
    package let logID: UInt64
    /// The place of the last message that was looked at; 0 before the first.
    package private(set) var place: UInt64 = 0
    /// Of the last message that counts.
    package private(set) var head = MessageHash.none
    package private(set) var leadership = Leadership.none

    package init(logID: UInt64) { self.logID = logID }

    /// The place of the message that is looked at next.
    package var next: UInt64 { place &+ 1 }

    package enum Taken: Equatable, Sendable {
        case lead
        /// With its body.
        case entry([UInt8])
        case nothing
        /// It does not count.
        case skipped
        /// This node must not go on: it can't know what the message does.
        case newer(version: UInt8)
    }

    /// Takes in the message at the next place.
    package mutating func take(_ bytes: [UInt8]) -> Taken {
        let message: LogMessage
        switch LogMessage.read(bytes, logID: logID) {
        case .newer(let version): return .newer(version: version)
        case .stranger:
            place = next
            return .skipped
        case .message(let read): message = read
        }
        place = next
        let isInOrder =
            message.kind == .lead
            ? message.leadership.epoch == leadership.epoch &+ 1 : message.leadership == leadership
        guard message.previous == head, isInOrder else { return .skipped }
        head = MessageHash(of: bytes)
        switch message.kind {
        case .lead:
            leadership = message.leadership
            return .lead
        case .entry: return .entry(message.body)
        case .nothing: return .nothing
        }
    }

    // MARK: In a file

    /// What a node's file keeps.
    ///
    ///     u8 version, u64 log id, u64 place, 32 bytes hash of the last message that counts, u64
    ///     epoch, u64 incarnation, and the rest is the leader's name
    package var stored: [UInt8] {
        var bytes = [Self.version]
        bytes.add(logID)
        bytes.add(place)
        bytes += head.bytes
        bytes.add(leadership.epoch)
        bytes.add(leadership.incarnation)
        return bytes + leadership.node.utf8
    }

    /// nil if the bytes are none, or of a later version.
    package init?(stored: [UInt8]) {
        var reader = ByteReader(stored)
        guard reader.take(1)?.first == Self.version, let logID = reader.number(bytes: 8),
            let place = reader.number(bytes: 8),
            let head = reader.take(MessageHash.byteCount).flatMap({ MessageHash(Array($0)) }),
            let epoch = reader.number(bytes: 8), let incarnation = reader.number(bytes: 8),
            let node = String(validating: reader.end, as: UTF8.self),
            node.utf8.count <= Leadership.mostNameBytes
        else { return nil }
        (self.logID, self.place, self.head) = (logID, place, head)
        leadership = Leadership(epoch: epoch, node: node, incarnation: incarnation)
    }

    private static let version: UInt8 = 1

    /// A message that counts if it comes next.
    package func message(
        _ kind: LogMessage.Kind, under leadership: Leadership, body: [UInt8] = []
    ) -> LogMessage {
        LogMessage(kind, logID: logID, previous: head, leadership: leadership, body: body)
    }
}
