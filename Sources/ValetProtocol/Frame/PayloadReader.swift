import NIOCore
import ValetModel

/// Reads a payload field by field. Every read throws on missing or out-of-range bytes, and
/// `finish()` on trailing ones; nothing is allocated for a count or length that exceeds the
/// remaining bytes.
package struct PayloadReader: ~Copyable {
    private var bytes: ByteBuffer

    package init(_ payload: ByteBuffer) { bytes = payload }

    package var remaining: Int { bytes.readableBytes }

    package static func malformed(_ what: String) -> ValetError {
        ValetError(.malformed, "malformed message: \(what)")
    }

    package consuming func finish() throws(ValetError) {
        guard bytes.readableBytes == 0 else {
            throw Self.malformed("\(bytes.readableBytes) bytes too many")
        }
    }

    @inline(__always)
    private mutating func fixed<Value: FixedWidthInteger>() throws(ValetError) -> Value {
        guard let value: Value = bytes.readInteger(endianness: .little) else {
            throw Self.malformed("cut short")
        }
        return value
    }

    package mutating func byte() throws(ValetError) -> UInt8 { try fixed() }
    package mutating func fixed32() throws(ValetError) -> UInt32 { try fixed() }
    package mutating func fixed64() throws(ValetError) -> UInt64 { try fixed() }

    package mutating func bool() throws(ValetError) -> Bool {
        switch try byte() {
        case 0: return false
        case 1: return true
        case let other: throw Self.malformed("\(other) is neither 0 nor 1")
        }
    }

    package mutating func real() throws(ValetError) -> Double {
        Double(bitPattern: try fixed64())
    }

    /// Unsigned LEB128 in its shortest form; longer forms are refused.
    package mutating func varint() throws(ValetError) -> UInt64 {
        var end = 0
        let value = try Self.varint(in: bytes.readableBytesUInt8Span, at: &end)
        bytes.moveReaderIndex(forwardBy: end)
        return value
    }

    private static func varint(
        in bytes: Span<UInt8>, at place: inout Int
    ) throws(ValetError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard place < bytes.count else { throw malformed("cut short") }
            let next = bytes[place]
            place += 1
            guard shift < 63 || next <= 1 else { throw malformed("number over 64 bits") }
            value |= UInt64(next & 0x7F) << shift
            if next & 0x80 == 0 {
                guard next != 0 || shift == 0 else {
                    throw malformed("number not in its shortest form")
                }
                return value
            }
            shift += 7
        }
    }

    /// A signed number: zigzag, then varint.
    package mutating func signed() throws(ValetError) -> Int64 {
        Self.signed(try varint())
    }

    private static func signed(_ raw: UInt64) -> Int64 {
        Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
    }

    /// An ordinal, count or size.
    package mutating func count() throws(ValetError) -> Int {
        try Self.count(try varint())
    }

    private static func count(_ value: UInt64) throws(ValetError) -> Int {
        guard value <= Limits.largestCount else { throw malformed("count over 2⁵³ − 1") }
        return Int(value)
    }

    package mutating func uint32() throws(ValetError) -> UInt32 {
        guard let value = UInt32(exactly: try varint()) else {
            throw Self.malformed("number over 32 bits")
        }
        return value
    }

    mutating func count(
        _ what: @autoclosure () -> String, atMost limit: Int
    ) throws(ValetError) -> Int {
        let count = try count()
        guard count <= limit else { throw .limit(what(), is: limit, asked: count) }
        return count
    }

    /// A count of items that follow, each of at least one byte.
    package mutating func count(of what: String, limit: Int) throws(ValetError) -> Int {
        let count = try count("count of \(what)", atMost: limit)
        guard count <= remaining else { throw Self.malformed("more \(what) than bytes") }
        return count
    }

    package mutating func bytes(_ what: String, limit: Int) throws(ValetError) -> [UInt8] {
        let length = try count("bytes of \(what)", atMost: limit)
        guard let value = bytes.readBytes(length: length) else {
            throw Self.malformed("\(what) cut short")
        }
        return value
    }

    package mutating func text(_ what: String, limit: Int) throws(ValetError) -> String {
        let raw = try bytes(what, limit: limit)
        guard let text = String(validating: raw, as: UTF8.self) else {
            throw Self.malformed("\(what) is not UTF-8")
        }
        return text
    }

    package mutating func name(_ what: String) throws(ValetError) -> String {
        try text(what, limit: Limits.bytesPerName)
    }

    /// A presence byte, then the value if it is 1.
    package mutating func optional<Value>(
        _ read: (inout PayloadReader) throws(ValetError) -> Value
    ) throws(ValetError) -> Value? {
        try bool() ? try read(&self) : nil
    }

    package mutating func optionalCount() throws(ValetError) -> Int? {
        try bool() ? try count() : nil
    }

    mutating func optionalText(_ what: String, limit: Int) throws(ValetError) -> String? {
        try bool() ? try text(what, limit: limit) : nil
    }

    mutating func optionalName(_ what: String) throws(ValetError) -> String? {
        try optionalText(what, limit: Limits.bytesPerName)
    }

    mutating func optional<Value: Field>() throws(ValetError) -> Value? {
        try bool() ? try Value(reading: &self) : nil
    }

    package mutating func list<Value>(
        of what: String, limit: Int, _ read: (inout PayloadReader) throws(ValetError) -> Value
    ) throws(ValetError) -> [Value] {
        let count = try count(of: what, limit: limit)
        var values: [Value] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    mutating func list<Value: Field>(of what: String, limit: Int) throws(ValetError) -> [Value] {
        try list(of: what, limit: limit) { payload throws(ValetError) in
            try Value(reading: &payload)
        }
    }

    mutating func counts(of what: String, limit: Int) throws(ValetError) -> [Int] {
        try list(of: what, limit: limit) { payload throws(ValetError) in try payload.count() }
    }

    /// A byte that encodes one of an enum's cases.
    package mutating func choice<Value: RawRepresentable>(
        _ what: String
    ) throws(ValetError) -> Value where Value.RawValue == UInt8 {
        let raw = try byte()
        guard let value = Value(rawValue: raw) else {
            throw Self.malformed("\(raw) is no \(what)")
        }
        return value
    }
}

// MARK: - Many fields at once

extension PayloadReader {
    /// Signed numbers, each encoded as the difference from the previous one.
    mutating func differences(_ count: Int, _ take: (Int64) -> Void) throws(ValetError) {
        var end = 0
        do {
            let bytes = bytes.readableBytesUInt8Span
            var value: Int64 = 0
            for _ in 0..<count {
                value &+= Self.signed(try Self.varint(in: bytes, at: &end))
                take(value)
            }
        }
        bytes.moveReaderIndex(forwardBy: end)
    }

    /// The lengths of texts, then their concatenated bytes.
    mutating func texts(_ count: Int, limit: Int, _ take: (String) -> Void) throws(ValetError) {
        var ends: [Int] = []
        ends.reserveCapacity(count)
        var (place, end) = (0, 0)
        do {
            let bytes = bytes.readableBytesUInt8Span
            for _ in 0..<count {
                let length = try Self.count(try Self.varint(in: bytes, at: &place))
                guard length <= limit else {
                    throw .limit("bytes of a text", is: limit, asked: length)
                }
                end += length
                ends.append(end)
            }
        }
        bytes.moveReaderIndex(forwardBy: place)
        guard end <= remaining else { throw Self.malformed("cut short") }
        let areUTF8 = bytes.withUnsafeReadableBytes { all in
            let joined = UnsafeRawBufferPointer(rebasing: all[..<end])
            // Each text is UTF-8 if the joined bytes are and no text starts inside a scalar.
            guard joined.isUTF8, ends.allSatisfy({ $0 == end || joined[$0] & 0xC0 != 0x80 }) else {
                return false
            }
            var start = 0
            for end in ends {
                let text = UnsafeRawBufferPointer(rebasing: joined[start..<end])
                take(String(decoding: text, as: UTF8.self))
                start = end
            }
            return true
        }
        guard areUTF8 else { throw Self.malformed("text is not UTF-8") }
        bytes.moveReaderIndex(forwardBy: end)
    }
}
