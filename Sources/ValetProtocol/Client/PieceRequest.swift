import NIOCore
import ValetModel

/// Asks for bytes of one long text or blob, on stream 0.
///
/// ```
/// varint   request
/// text     list
/// signed   row id
/// text     column
/// varint   offset in bytes
/// ```
package struct PieceRequest: Message {
    package static let kind = FrameKind.pieceRequest

    package var request: UInt32
    package var list: String
    package var rowID: Int64
    package var column: String
    package var offset: Int

    package init(request: UInt32, list: String, rowID: Int64, column: String, offset: Int) {
        self.request = request
        self.list = list
        self.rowID = rowID
        self.column = column
        self.offset = offset
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeText(list)
        payload.writeSigned(rowID)
        payload.writeText(column)
        payload.writeCount(offset)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        list = try payload.name("list name")
        rowID = try payload.signed()
        column = try payload.name("column name")
        offset = try payload.count()
    }
}
