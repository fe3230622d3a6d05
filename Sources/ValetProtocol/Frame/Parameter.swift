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

    static func write(_ parameters: [Parameter], into payload: inout ByteBuffer) {
        payload.writeList(parameters) { payload, parameter in
            payload.writeVarint(UInt64(parameter.key))
            payload.writeSized(parameter.value)
        }
    }

    static func read(from payload: inout PayloadReader) throws(ValetError) -> [Parameter] {
        try payload.list(of: "parameters", limit: most) { payload throws(ValetError) in
            let parameter = Parameter(
                key: try payload.uint32(),
                value: try payload.bytes("parameter", limit: bytesOfValue))
            guard parameter.key & 1 == 0 else {
                throw ValetError(
                    .unsupportedVersion, "parameter \(parameter.key) is not known here")
            }
            return parameter
        }
    }
}
