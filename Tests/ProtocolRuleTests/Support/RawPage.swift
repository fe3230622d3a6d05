/// Pages as section 7 of PROTOCOL.md says.

struct PagePart {
    var name: UInt64
    var isCompressed: Bool
    var isGivenUp: Bool
    /// Only in a page's first part.
    var sizes: (raw: Int, encoded: Int)?
    var bytes: [UInt8]
    var byteCount: Int

    init(_ frame: RawFrame) throws {
        guard frame.stream == 0, [0, 1, 2, 4].contains(frame.flags) else {
            throw Malformed(what: "a page's stream or flags")
        }
        var fields = frame.fields
        name = try fields.fixed(8)
        isCompressed = frame.flags == 1
        isGivenUp = frame.flags == 4
        if frame.flags < 2 { sizes = (try fields.count(), try fields.count()) }
        bytes = fields.rest
        byteCount = frame.byteCount
        guard bytes.isEmpty == isGivenUp else { throw Malformed(what: "a part without a byte") }
    }
}

/// A page that was begun.
struct PageParts {
    var sizes: (raw: Int, encoded: Int)
    var isCompressed: Bool
    var bytes: [UInt8] = []

    /// - Returns: the page when this part completes it.
    static func add(_ part: PagePart, to begun: inout [UInt64: PageParts]) throws -> RawPage? {
        if part.isGivenUp {
            guard begun.removeValue(forKey: part.name) != nil else {
                throw Malformed(what: "given up without having begun")
            }
            return nil
        }
        if let sizes = part.sizes {
            begun[part.name] = PageParts(sizes: sizes, isCompressed: part.isCompressed)
        }
        guard var page = begun.removeValue(forKey: part.name) else {
            throw Malformed(what: "a later part without the first")
        }
        page.bytes += part.bytes
        guard page.bytes.count <= page.sizes.encoded else { throw Malformed(what: "too long") }
        guard page.bytes.count == page.sizes.encoded else {
            begun[part.name] = page
            return nil
        }
        let raw = page.isCompressed ? try decompressed(page.bytes, page.sizes.raw) : page.bytes
        guard raw.count == page.sizes.raw else { throw Malformed(what: "raw bytes") }
        return try RawPage(raw)
    }
}

/// The LZ4 block format: literals, then a match, again and again.
func decompressed(_ block: [UInt8], _ rawBytes: Int) throws -> [UInt8] {
    var fields = Fields(block)
    var raw: [UInt8] = []
    func length(_ start: UInt8) throws -> Int {
        var length = Int(start)
        guard start == 15 else { return length }
        while true {
            let more = try fields.byte()
            length += Int(more)
            if more < 255 { return length }
        }
    }
    while true {
        let token = try fields.byte()
        raw += try fields.take(try length(token >> 4))
        if fields.place == block.count { break }
        let offset = Int(try fields.fixed(2))
        let count = try length(token & 15) + 4
        guard offset > 0, offset <= raw.count, raw.count + count <= rawBytes else {
            throw Malformed(what: "an LZ4 match")
        }
        for _ in 0..<count { raw.append(raw[raw.count - offset]) }
    }
    return raw
}

struct RawPage: Equatable {
    var rowIDs: [Int64]
    /// Column by column.
    var columns: [[RawCell]] = []

    init(_ raw: [UInt8]) throws {
        var fields = Fields(raw)
        let (rows, columnCount) = (try fields.count(), try fields.count())
        guard rows <= 64, columnCount <= 2_000 else { throw Malformed(what: "a page's size") }
        rowIDs = try Self.differences(rows, &fields)
        for _ in 0..<columnCount {
            let encoding = try fields.byte()
            var has = [Bool](repeating: true, count: rows)
            if encoding & 0x80 != 0 {
                let bitmap = try fields.take((rows + 7) / 8)
                has = (0..<rows).map { bitmap[$0 / 8] >> UInt8($0 % 8) & 1 == 1 }
                guard
                    (rows..<bitmap.count * 8).allSatisfy({
                        bitmap[$0 / 8] >> UInt8($0 % 8) & 1 == 0
                    })
                else { throw Malformed(what: "a bit beyond the last row") }
            }
            let count = has.count { $0 }
            var values = try Self.values(encoding & 0x7F, count, &fields)[...]
            columns.append(has.map { $0 ? values.popFirst() ?? .null : .null })
        }
        try fields.end()
    }

    private static func differences(_ count: Int, _ fields: inout Fields) throws -> [Int64] {
        var last: Int64 = 0
        return try (0..<count).map { _ in
            last &+= try fields.signed()
            return last
        }
    }

    private static func texts(_ count: Int, _ fields: inout Fields) throws -> [RawCell] {
        let lengths = try (0..<count).map { _ in try fields.count() }
        return try lengths.map { length in
            let bytes = try fields.take(length)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Malformed(what: "text that is not UTF-8")
            }
            return .text(text)
        }
    }

    private static func values(
        _ encoding: UInt8, _ count: Int, _ fields: inout Fields
    ) throws -> [RawCell] {
        switch encoding {
        case 0: return Array(repeating: try RawCell(&fields), count: count)
        case 1:
            let size = try fields.count()
            guard size <= 64 else { throw Malformed(what: "a dictionary of \(size)") }
            let texts = try texts(size, &fields)
            return try (0..<count).map { _ in
                let code = Int(try fields.byte())
                guard code < size else { throw Malformed(what: "a code") }
                return texts[code]
            }
        case 2: return try differences(count, &fields).map { .integer($0) }
        case 3:
            let scale = try fields.byte()
            guard scale <= 9 else { throw Malformed(what: "a scale") }
            let divisor = (0..<scale).reduce(1.0) { value, _ in value * 10 }
            return try differences(count, &fields).map { .real((Double($0) / divisor).bitPattern) }
        case 4: return try texts(count, &fields)
        case 5: return try (0..<count).map { _ in try RawCell(&fields) }
        default: throw Malformed(what: "an encoding of no kind")
        }
    }
}
