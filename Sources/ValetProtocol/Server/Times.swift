import NIOCore
import ValetModel

/// How long an answer took, in microseconds: the two parts add up to the total.
///
/// ```
/// varint   waited: from when the request was read off the socket until work on it began
/// varint   worked: from then to the answer
/// ```
package struct Times: Hashable, Sendable {
    package var waitedMicroseconds: UInt32
    package var workedMicroseconds: UInt32

    package init(waitedMicroseconds: UInt32 = 0, workedMicroseconds: UInt32 = 0) {
        self.waitedMicroseconds = waitedMicroseconds
        self.workedMicroseconds = workedMicroseconds
    }

    func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(waitedMicroseconds))
        payload.writeVarint(UInt64(workedMicroseconds))
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        waitedMicroseconds = try payload.uint32()
        workedMicroseconds = try payload.uint32()
    }
}
