import NIOCore
import ValetModel

/// Closes the stream's view. Its pending requests are answered as superseded.
///
/// ```
/// varint   request
/// ```
package struct CloseView: Message {
    package static let kind = FrameKind.closeView

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
