import NIOCore
import ValetModel

/// Where the time of an answer went, in microseconds.
///
/// ```
/// varint   waiting for other work
/// varint   working
/// ```
package struct Times: Hashable, Sendable {
    package var queueMicroseconds: UInt32
    package var queryMicroseconds: UInt32

    package init(queueMicroseconds: UInt32 = 0, queryMicroseconds: UInt32 = 0) {
        self.queueMicroseconds = queueMicroseconds
        self.queryMicroseconds = queryMicroseconds
    }

    func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(queueMicroseconds))
        payload.writeVarint(UInt64(queryMicroseconds))
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        queueMicroseconds = try payload.uint32()
        queryMicroseconds = try payload.uint32()
    }
}
