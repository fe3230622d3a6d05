import NIOCore
import ValetModel

/// Asks for the newest entries of a list's log, or of one row's.
///
/// ```
/// varint                      request
/// text                        list
/// optional signed             row id
/// optional (varint, varint)   only entries before this position: revision, place
/// varint                      most entries wanted
/// ```
package struct HistoryRequest: Message {
    package static let kind = FrameKind.historyRequest

    package var request: UInt32
    package var list: String
    package var rowID: Int64?
    package var before: LogPosition?
    package var mostEntries: Int

    package init(
        request: UInt32, list: String, rowID: Int64? = nil, before: LogPosition? = nil,
        mostEntries: Int
    ) {
        self.request = request
        self.list = list
        self.rowID = rowID
        self.before = before
        self.mostEntries = mostEntries
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeText(list)
        payload.writeOptional(rowID) { $0.writeSigned($1) }
        payload.writeOptional(before)
        payload.writeCount(mostEntries)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        list = try payload.name("list name")
        rowID = try payload.optional { payload throws(ValetError) in try payload.signed() }
        before = try payload.optional()
        mostEntries = try payload.count()
    }
}
