import ValetModel

/// Reads what nodes store and tell each other. Each reading is nil if it isn't there.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// All that is left.
    var end: [UInt8] { Array(rest) }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Big endian.
    mutating func number(bytes count: Int) -> UInt64? {
        take(count)?.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Behind its length as u16.
    mutating func text(atMost most: Int) -> String? {
        guard let length = number(bytes: 2).map({ Int($0) }), length <= most else { return nil }
        return take(length).flatMap { String(validating: $0, as: UTF8.self) }
    }

    mutating func nodeName() -> String? {
        text(atMost: Leadership.mostNameBytes).flatMap { Leadership.isName($0) ? $0 : nil }
    }
}

extension [UInt8] {
    mutating func add(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { self += $0 }
    }

    /// Behind its length as u16.
    mutating func add(_ text: String, atMost most: Int) {
        let cut = text.cut(toBytes: most).utf8
        add(UInt16(clamping: cut.count))
        self += cut
    }
}
