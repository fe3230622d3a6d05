import ValetModel

/// Writes the compact form in which outcomes and effects are stored: unsigned numbers take seven
/// bits a byte, lowest first, and signed ones are folded so that small ones stay short.
struct LogBytes {
    private(set) var bytes: [UInt8] = []

    mutating func write(byte: UInt8) { bytes.append(byte) }

    mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func write(count: Int) { write(UInt64(count)) }

    mutating func write(signed number: Int64) {
        write(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    mutating func write(_ text: String) {
        write(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func write(_ block: [UInt8]) {
        write(count: block.count)
        bytes.append(contentsOf: block)
    }

    mutating func append(_ other: LogBytes) { bytes.append(contentsOf: other.bytes) }

    /// Elements of which each takes at least one byte, with their count before them.
    mutating func write<Element>(list: [Element], _ write: (inout LogBytes, Element) -> Void) {
        self.write(count: list.count)
        for element in list { write(&self, element) }
    }

    mutating func write(_ cell: Cell) {
        switch cell {
        case .null: write(byte: 0)
        case .integer(let number):
            write(byte: 1)
            write(signed: number)
        case .real(let number):
            write(byte: 2)
            withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        case .text(let text):
            write(byte: 3)
            write(text)
        case .malformedText(let text, let byteCount):
            write(byte: 4)
            write(text)
            write(count: byteCount)
        case .cutText(let text, let byteCount):
            write(byte: 5)
            write(text)
            write(count: byteCount)
        case .blob(let blob, let byteCount):
            write(byte: 6)
            write(blob)
            write(count: byteCount)
        }
    }
}

/// Reads what `LogBytes` wrote. The bytes come from a file, so each may be wrong: nil then.
struct LogByteReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { place == bytes.count }

    mutating func byte() -> UInt8? {
        guard place < bytes.count else { return nil }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func number() -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = byte(), shift < 64 {
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }

    /// A count of things of which each takes at least one byte.
    mutating func count() -> Int? {
        guard let count = number(), count <= bytes.count - place else { return nil }
        return Int(count)
    }

    mutating func size() -> Int? { number().flatMap { Int(exactly: $0) } }

    mutating func signed() -> Int64? {
        number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    mutating func block() -> [UInt8]? {
        guard let count = count() else { return nil }
        defer { place += count }
        return Array(bytes[place..<place + count])
    }

    mutating func text() -> String? {
        block().flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Elements of which each takes at least one byte, with their count before them.
    mutating func list<Element>(_ element: (inout LogByteReader) -> Element?) -> [Element]? {
        guard let count = count() else { return nil }
        var elements: [Element] = []
        for _ in 0..<count {
            guard let next = element(&self) else { return nil }
            elements.append(next)
        }
        return elements
    }

    mutating func cell() -> Cell? {
        switch byte() {
        case 0: return .null
        case 1: return signed().map(Cell.integer)
        case 2:
            guard bytes.count - place >= 8 else { return nil }
            defer { place += 8 }
            let bits = bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            return .real(Double(bitPattern: bits))
        case 3: return text().map(Cell.text)
        case 4:
            guard let text = block(), let byteCount = size() else { return nil }
            return .malformedText(bytes: text, byteCount: byteCount)
        case 5:
            guard let text = text(), let byteCount = size() else { return nil }
            return .cutText(text, byteCount: byteCount)
        case 6:
            guard let blob = block(), let byteCount = size() else { return nil }
            return .blob(bytes: blob, byteCount: byteCount)
        case _: return nil
        }
    }
}
