import NIOCore
import ValetModel

/// Entries of a list's log, newest first.
///
/// ```
/// varint       request
/// list entry   see `LoggedChange.write`
/// bool         whether older ones are kept
/// ```
package struct HistoryAnswer: Message {
    package static let kind = FrameKind.historyAnswer

    package var request: UInt32
    package var entries: [LoggedChange]
    package var hasMore: Bool

    package init(request: UInt32, entries: [LoggedChange], hasMore: Bool) {
        self.request = request
        self.entries = entries
        self.hasMore = hasMore
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeList(entries)
        payload.writeBool(hasMore)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        entries = try payload.list(of: "entries", limit: Limits.changesPerAnswer)
        hasMore = try payload.bool()
    }
}
