import NIOCore
import ValetModel

/// The stream's view is closed; its number may be reused.
///
/// ```
/// varint   request
/// ```
package struct ViewClosed: Message {
    package static let kind = FrameKind.viewClosed

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
