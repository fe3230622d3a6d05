/// A payload taken to pieces by its layout: which bytes are which field.
struct Dissection {
    enum Role {
        case varint, count, text, bytes, bool, choice, fixed
    }

    struct Piece {
        let label: String
        let role: Role
        let range: Range<Int>
        /// Of a text or bytes: where the length ends and they begin.
        let contents: Int
        let value: String
    }

    let bytes: [UInt8]
    private(set) var pieces: [Piece] = []
    private(set) var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func take(_ fields: [Field], prefix: String = "") {
        for field in fields { take(field, prefix) }
    }

    private mutating func take(_ field: Field, _ prefix: String) {
        switch field {
        case .magic: takeFixed("“VALT”", byteCount: 4)
        case .varint(let label): takeVarint(prefix + label)
        case .signed(let label): takeSigned(prefix + label)
        case .text(let label): takeSized(prefix + label, as: .text)
        case .bytes(let label): takeSized(prefix + label, as: .bytes)
        case .fixed32(let label): takeFixed(prefix + label, byteCount: 4)
        case .fixed64(let label): takeFixed(prefix + label, byteCount: 8)
        case .bool(let label): takeByte(prefix + label, as: .bool)
        case .optional(let label, let fields):
            if takeByte(prefix + label + "?", as: .bool) == 1 {
                take(fields, prefix: prefix + label + ".")
            }
        case .list(let label, let fields):
            let count = takeVarint("number of " + prefix + label, as: .count)
            for index in 0..<Int(count) { take(fields, prefix: "\(prefix)\(label)[\(index)].") }
        case .choice(let label, let alternatives):
            let chosen = takeByte(prefix + label, as: .choice)
            take(alternatives[Int(chosen)], prefix: prefix + label + ".")
        }
    }

    @discardableResult
    mutating func takeByte(_ label: String, as role: Role) -> UInt8 {
        let byte = bytes[place]
        add(label, role, byteCount: 1, value: "\(byte)")
        return byte
    }

    @discardableResult
    mutating func takeVarint(_ label: String, as role: Role = .varint) -> UInt64 {
        let (value, byteCount) = varint(at: place)
        add(label, role, byteCount: byteCount, value: "\(value)")
        return value
    }

    @discardableResult
    mutating func takeSigned(_ label: String) -> Int64 {
        let (raw, byteCount) = varint(at: place)
        let value = raw & 1 == 0 ? Int64(bitPattern: raw >> 1) : -1 - Int64(bitPattern: raw >> 1)
        add(label, .varint, byteCount: byteCount, value: "\(value)")
        return value
    }

    private mutating func takeSized(_ label: String, as role: Role) {
        let (length, lengthBytes) = varint(at: place)
        let start = place + lengthBytes
        let contents = bytes[start..<start + Int(length)]
        let value =
            role == .text
            ? "“" + String(decoding: contents, as: UTF8.self) + "”" : "\(length) bytes"
        add(label, role, byteCount: lengthBytes + Int(length), contents: start, value: value)
    }

    mutating func takeFixed(_ label: String, byteCount: Int) {
        add(label, .fixed, byteCount: byteCount, value: nil)
    }

    private mutating func add(
        _ label: String, _ role: Role, byteCount: Int, contents: Int? = nil, value: String?
    ) {
        let range = place..<place + byteCount
        pieces.append(
            Piece(
                label: label, role: role, range: range, contents: contents ?? range.lowerBound,
                value: value.map { " = " + $0 } ?? ""))
        place = range.upperBound
    }

    private func varint(at start: Int) -> (value: UInt64, byteCount: Int) {
        var value: UInt64 = 0
        for (index, byte) in bytes[start...].enumerated() {
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte < 0x80 { return (value, index + 1) }
        }
        preconditionFailure("a sample's varint has no end")
    }
}
