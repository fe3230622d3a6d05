import NIOCore
import ValetModel

/// The writers that match the readers of `PayloadReader`.
extension ByteBuffer {
    package mutating func writeByte(_ byte: UInt8) {
        writeInteger(byte)
    }

    package mutating func writeBool(_ value: Bool) {
        writeInteger(UInt8(value ? 1 : 0))
    }

    package mutating func writeFixed64(_ value: UInt64) {
        writeInteger(value, endianness: .little)
    }

    package mutating func writeVarint(_ value: UInt64) {
        writeWithUnsafeMutableBytes(minimumWritableBytes: 10) { bytes in
            var rest = value
            var count = 0
            while rest >= 0x80 {
                bytes[count] = UInt8(truncatingIfNeeded: rest) | 0x80
                count += 1
                rest >>= 7
            }
            bytes[count] = UInt8(truncatingIfNeeded: rest)
            return count + 1
        }
    }

    package mutating func writeSigned(_ value: Int64) {
        writeVarint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    /// An ordinal, count or size. A made-up ordinal may exceed the largest one on the wire, which
    /// means the same place: past the last row.
    package mutating func writeCount(_ value: Int) {
        writeVarint(UInt64(max(0, min(value, Limits.largestCount))))
    }

    package mutating func writeText(_ text: String) {
        writeCount(text.utf8.count)
        writeString(text)
    }

    package mutating func writeSized(_ bytes: [UInt8]) {
        writeCount(bytes.count)
        writeBytes(bytes)
    }

    package mutating func writeOptional<Value>(
        _ value: Value?, _ write: (inout ByteBuffer, Value) -> Void
    ) {
        writeBool(value != nil)
        if let value { write(&self, value) }
    }

    package mutating func writeOptionalCount(_ count: Int?) {
        writeOptional(count) { $0.writeCount($1) }
    }

    mutating func writeOptionalText(_ text: String?) {
        writeOptional(text) { $0.writeText($1) }
    }

    mutating func writeOptional(_ value: (some Field)?) {
        writeOptional(value) { $1.write(into: &$0) }
    }

    package mutating func writeList<Value>(
        _ values: [Value], _ write: (inout ByteBuffer, Value) -> Void
    ) {
        writeCount(values.count)
        for value in values { write(&self, value) }
    }

    mutating func writeList(_ values: [some Field]) {
        writeList(values) { $1.write(into: &$0) }
    }

    mutating func writeCounts(_ counts: [Int]) {
        writeList(counts) { $0.writeCount($1) }
    }

    /// A case of an enum: its byte, then what it carries.
    mutating func writeCase(_ code: UInt8, _ write: (inout ByteBuffer) -> Void) {
        writeByte(code)
        write(&self)
    }
}
