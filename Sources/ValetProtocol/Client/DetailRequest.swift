import NIOCore
import ValetModel

/// Asks for a whole row of a list, on stream 0: no view is needed.
///
/// ```
/// varint   request
/// text     list
/// signed   row id
/// ```
package struct DetailRequest: Message {
    package static let kind = FrameKind.detailRequest

    package var request: UInt32
    package var list: String
    package var rowID: Int64

    package init(request: UInt32, list: String, rowID: Int64) {
        self.request = request
        self.list = list
        self.rowID = rowID
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeText(list)
        payload.writeSigned(rowID)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        list = try payload.name("list name")
        rowID = try payload.signed()
    }
}
