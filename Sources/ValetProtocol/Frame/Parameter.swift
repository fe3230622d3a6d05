import NIOCore
import ValetModel

/// An extension field of the first two messages: receivers skip unknown even keys and end the
/// conversation on unknown odd ones.
package struct Parameter: Hashable, Sendable {
    package static let most = 32
    package static let bytesOfValue = 1 << 10

    /// Of a hello's: what the client proves with whom it acts for.
    package static let token: UInt32 = 1
    /// Of a welcome's: earlier epochs, a u64 each, in which columns and row ids meant the same.
    package static let earlierEpochs: UInt32 = 2

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
    }
}

extension PayloadReader {
    /// - Parameter known: the odd keys that the message may have.
    mutating func parameters(known: Set<UInt32> = []) throws(ValetError) -> [Parameter] {
        let parameters: [Parameter] = try list(of: "parameters", limit: Parameter.most)
        for key in parameters.map(\.key) where key & 1 == 1 && !known.contains(key) {
            throw ValetError(.unsupportedVersion, "parameter \(key) is not known here")
        }
        return parameters
    }
}
