import NIOCore
import ValetModel

/// Answers `Follow`: the feed has begun.
///
/// ```
/// varint   request, which is also the feed's number
/// u64      log id
/// varint   newest revision of the list
/// ```
package struct Following: Message {
    package static let kind = FrameKind.following

    package var request: UInt32
    package var logID: UInt64
    package var revision: UInt64

    package init(request: UInt32, logID: UInt64, revision: UInt64) {
        self.request = request
        self.logID = logID
        self.revision = revision
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeFixed64(logID)
        payload.writeVarint(revision)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        logID = try payload.fixed64()
        revision = try payload.varint()
    }
}
