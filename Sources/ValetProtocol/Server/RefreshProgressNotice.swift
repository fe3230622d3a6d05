import NIOCore
import ValetModel

/// How far a refresh is that was not answered yet. The kind is even, so receivers that do not know
/// it may skip it.
///
/// ```
/// varint            request that waits
/// u8                stage: 0 loading, 1 comparing, 2 changing
/// varint            done
/// optional varint   total
/// ```
package struct RefreshProgressNotice: Message {
    package static let kind = FrameKind.refreshProgress

    package var request: UInt32
    package var progress: RefreshProgress

    package init(request: UInt32, progress: RefreshProgress) {
        self.request = request
        self.progress = progress
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeByte(progress.stage.rawValue)
        payload.writeCount(progress.done)
        payload.writeOptionalCount(progress.total)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        progress = RefreshProgress(
            stage: try payload.choice("stage"), done: try payload.count(),
            total: try payload.optionalCount())
    }
}
