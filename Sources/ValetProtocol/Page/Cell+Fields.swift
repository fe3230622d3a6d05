import NIOCore
import ValetModel

/// ```
/// u8 0                  NULL
/// u8 1  signed          integer
/// u8 2  f64             real
/// u8 3  text            text
/// u8 4  bytes, varint   text that is not UTF-8, or its beginning; bytes of the whole
/// u8 5  text, varint    the beginning of a text; bytes of the whole
/// u8 6  bytes, varint   a blob, its beginning, or nothing of it; bytes of the whole
/// ```
extension Cell: Field {
    package func write(into payload: inout ByteBuffer) {
        switch self {
        case .null: payload.writeByte(0)
        case .integer(let value): payload.writeCase(1) { $0.writeSigned(value) }
        case .real(let value): payload.writeCase(2) { $0.writeFixed64(value.bitPattern) }
        case .text(let text): payload.writeCase(3) { $0.writeText(text) }
        case .malformedText(let bytes, let byteCount):
            payload.writeByte(4)
            payload.writeSized(bytes)
            payload.writeCount(byteCount)
        case .cutText(let text, let byteCount):
            payload.writeByte(5)
            payload.writeText(text)
            payload.writeCount(byteCount)
        case .blob(let bytes, let byteCount):
            payload.writeByte(6)
            payload.writeSized(bytes)
            payload.writeCount(byteCount)
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        try self.init(reading: &payload, limit: Limits.bytesPerDetailCell)
    }

    package init(reading payload: inout PayloadReader, limit: Int) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .null
        case 1: self = .integer(try payload.signed())
        case 2: self = .real(try payload.real())
        case 3: self = .text(try payload.text("text", limit: limit))
        case 4:
            let (bytes, byteCount) = try Self.partBytes(of: &payload, limit: limit)
            self = .malformedText(bytes: bytes, byteCount: byteCount)
        case 5:
            let (text, byteCount) = (try payload.text("text", limit: limit), try payload.count())
            guard text.utf8.count < byteCount else {
                throw PayloadReader.malformed("a cut text that is whole")
            }
            self = .cutText(text, byteCount: byteCount)
        case 6:
            let (bytes, byteCount) = try Self.partBytes(of: &payload, limit: limit)
            self = .blob(bytes: bytes, byteCount: byteCount)
        case let other: throw PayloadReader.malformed("\(other) is no kind of cell")
        }
    }

    private static func partBytes(
        of payload: inout PayloadReader, limit: Int
    ) throws(ValetError) -> (bytes: [UInt8], byteCount: Int) {
        let bytes = try payload.bytes("cell", limit: limit)
        let byteCount = try payload.count()
        guard bytes.count <= byteCount else {
            throw PayloadReader.malformed("a cell of more bytes than the whole")
        }
        return (bytes, byteCount)
    }
}
