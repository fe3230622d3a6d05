import NIOCore
import ValetModel

/// The section index, thinned evenly to at most the requested number of titles.
///
/// ```
/// varint      request
/// varint      revision
/// list entry  text title, varint section ordinal, varint flat ordinal of its first row
/// ```
package struct IndexAnswer: Message {
    package static let kind = FrameKind.indexAnswer

    package var request: UInt32
    package var revision: UInt64
    package var entries: [IndexEntry]

    package init(request: UInt32, revision: UInt64, entries: [IndexEntry]) {
        self.request = request
        self.revision = revision
        self.entries = entries
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(revision)
        payload.writeList(entries) { payload, entry in
            payload.writeText(entry.title)
            payload.writeCount(entry.section)
            payload.writeCount(entry.first)
        }
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        revision = try payload.varint()
        entries = try payload.list(of: "index titles", limit: Limits.titlesPerIndex) {
            payload throws(ValetError) in
            IndexEntry(
                title: try payload.text("index title", limit: Limits.bytesPerTitle),
                section: try payload.count(), first: try payload.count())
        }
    }
}
