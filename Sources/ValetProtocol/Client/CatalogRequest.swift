import NIOCore
import ValetModel

/// Asks for the lists and their row counts.
///
/// ```
/// varint   request
/// ```
package struct CatalogRequest: Message {
    package static let kind = FrameKind.catalogRequest

    package var request: UInt32

    package init(request: UInt32) {
        self.request = request
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
    }
}
