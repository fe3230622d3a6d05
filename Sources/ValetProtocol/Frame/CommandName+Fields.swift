import NIOCore
import ValetModel

/// ```
/// u64      high
/// u64      low
/// ```
extension WriterID: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeFixed64(high)
        payload.writeFixed64(low)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(high: try payload.fixed64(), low: try payload.fixed64())
    }
}

/// ```
/// u64 × 2  writer
/// varint   number
/// ```
extension CommandName: Field {
    func write(into payload: inout ByteBuffer) {
        writer.write(into: &payload)
        payload.writeVarint(number)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(writer: try WriterID(reading: &payload), number: try payload.varint())
    }
}
