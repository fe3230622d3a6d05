import NIOCore
import ValetModel

/// ```
/// u64      high
/// u64      low
/// ```
extension WriterID {
    func write(into payload: inout ByteBuffer) {
        payload.writeFixed64(high)
        payload.writeFixed64(low)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(high: try payload.fixed64(), low: try payload.fixed64())
    }
}
