import NIOCore
import ValetModel

/// Loads a list again from where it comes from.
///
/// ```
/// varint   request
/// text     list
/// ```
package struct RefreshRequest: Message {
    package static let kind = FrameKind.refresh

    package var request: UInt32
    package var list: String

    package init(request: UInt32, list: String) {
        self.request = request
        self.list = list
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeText(list)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        list = try payload.name("list name")
    }
}
