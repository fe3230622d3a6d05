/// Fields as section 2 of PROTOCOL.md says. Written from the document, not with the product's
/// encoders, so that both can't be wrong in the same way.

func little(_ value: UInt64, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
}

func u64(_ value: UInt64) -> [UInt8] { little(value, 8) }

func varint(_ value: UInt64) -> [UInt8] {
    var (bytes, rest): ([UInt8], UInt64) = ([], value)
    while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
    }
    return bytes + [UInt8(rest)]
}

func varint(_ value: Int) -> [UInt8] { varint(UInt64(value)) }

func signed(_ value: Int64) -> [UInt8] {
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
}

func text(_ value: String) -> [UInt8] { varint(value.utf8.count) + Array(value.utf8) }

func optional(_ field: [UInt8]?) -> [UInt8] { field.map { [1] + $0 } ?? [0] }

func list(_ fields: [[UInt8]]) -> [UInt8] { varint(fields.count) + fields.flatMap { $0 } }

/// A frame, however wrong.
func frame(_ kind: UInt8, flags: UInt8 = 0, stream: UInt16 = 0, _ payload: [UInt8]) -> [UInt8] {
    little(UInt64(payload.count), 4) + [kind, flags] + little(UInt64(stream), 2) + payload
}

/// A frame as it came.
struct RawFrame: Equatable {
    var kind: UInt8
    var flags: UInt8
    var stream: UInt16
    var payload: [UInt8]

    var fields: Fields { Fields(payload) }
    var byteCount: Int { 8 + payload.count }
}

struct Malformed: Error {
    var what: String
}

/// Reads fields, one after another; whatever the document does not allow is an error.
struct Fields {
    private let bytes: [UInt8]
    private(set) var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var rest: [UInt8] { Array(bytes[place...]) }

    mutating func byte() throws -> UInt8 {
        guard place < bytes.count else { throw Malformed(what: "a byte is missing") }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func take(_ count: Int) throws -> [UInt8] {
        guard count <= bytes.count - place else { throw Malformed(what: "bytes are missing") }
        defer { place += count }
        return Array(bytes[place..<place + count])
    }

    mutating func fixed(_ byteCount: Int) throws -> UInt64 {
        try take(byteCount).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func varint() throws -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let next = try byte()
            guard shift < 63 || next <= 1 else { throw Malformed(what: "over 64 bits") }
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 {
                guard next != 0 || shift == 0 else { throw Malformed(what: "not shortest") }
                return value
            }
            shift += 7
        }
    }

    mutating func count() throws -> Int {
        let value = try varint()
        guard value < 1 << 53 else { throw Malformed(what: "a count of \(value)") }
        return Int(value)
    }

    mutating func signed() throws -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    mutating func bool() throws -> Bool {
        let value = try byte()
        guard value <= 1 else { throw Malformed(what: "a bool of \(value)") }
        return value == 1
    }

    mutating func text() throws -> String {
        let bytes = try take(try count())
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Malformed(what: "text that is not UTF-8")
        }
        return text
    }

    mutating func optional<Value>(_ read: (inout Fields) throws -> Value) throws -> Value? {
        try bool() ? read(&self) : nil
    }

    mutating func list<Value>(_ read: (inout Fields) throws -> Value) throws -> [Value] {
        try (0..<count()).map { _ in try read(&self) }
    }

    func end() throws {
        guard place == bytes.count else { throw Malformed(what: "bytes are left over") }
    }
}
