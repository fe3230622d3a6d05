import NIOCore
import ValetModel

/// The next entries of a change feed, oldest first. Costs credit, as pages do.
///
/// ```
/// varint       feed
/// list entry   see `LoggedChange.write`
/// ```
package struct Changes: Message {
    package static let kind = FrameKind.changes

    package var feed: UInt32
    package var entries: [LoggedChange]

    package init(feed: UInt32, entries: [LoggedChange]) {
        self.feed = feed
        self.entries = entries
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(feed))
        payload.writeList(entries)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        feed = try payload.uint32()
        entries = try payload.list(of: "entries", limit: Limits.changesPerAnswer)
    }
}
