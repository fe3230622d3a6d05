import NIOCore
import ValetModel

/// An extension field of the first two messages: receivers skip unknown even keys and end the
/// conversation on unknown odd ones. Version 1 defines none; credentials and resume will be such
/// fields.
package struct Parameter: Hashable, Sendable {
    package static let most = 32
    package static let bytesOfValue = 1 << 10

    package var key: UInt32
    package var value: [UInt8]
}

extension Parameter: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(key))
        payload.writeSized(value)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        key = try payload.uint32()
        value = try payload.bytes("parameter", limit: Self.bytesOfValue)
        guard key & 1 == 0 else {
            throw ValetError(.unsupportedVersion, "parameter \(key) is not known here")
        }
    }
}
