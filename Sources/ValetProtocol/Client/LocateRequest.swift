import NIOCore
import ValetModel

/// Asks for a row's position in the view.
///
/// ```
/// varint   request
/// varint   generation
/// signed   row id
/// ```
package struct LocateRequest: Message {
    package static let kind = FrameKind.locateRequest

    package var request: UInt32
    package var generation: UInt32
    package var rowID: Int64

    package init(request: UInt32, generation: UInt32, rowID: Int64) {
        self.request = request
        self.generation = generation
        self.rowID = rowID
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(generation))
        payload.writeSigned(rowID)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        generation = try payload.uint32()
        rowID = try payload.signed()
    }
}
