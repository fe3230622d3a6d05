import NIOCore
import ValetModel

/// How a refresh ended.
///
/// ```
/// varint   request
/// u8       0 done: varint added, varint changed, varint removed
///          1 failed: text reason
///          2 cancelled
/// ```
package struct Refreshed: Message {
    package static let kind = FrameKind.refreshed

    package var request: UInt32
    package var ending: RefreshEnding

    package init(request: UInt32, ending: RefreshEnding) {
        self.request = request
        self.ending = ending
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        switch ending {
        case .done(let added, let changed, let removed):
            payload.writeByte(0)
            for count in [added, changed, removed] { payload.writeCount(count) }
        case .failed(let reason):
            payload.writeByte(1)
            payload.writeText(reason.cut(toBytes: Limits.bytesPerMessage))
        case .cancelled: payload.writeByte(2)
        }
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        switch try payload.byte() {
        case 0:
            ending = .done(
                added: try payload.count(), changed: try payload.count(),
                removed: try payload.count())
        case 1: ending = .failed(try payload.text("reason", limit: Limits.bytesPerMessage))
        case 2: ending = .cancelled
        default: throw PayloadReader.malformed("a refresh ended in an unknown way")
        }
    }
}
