import NIOCore
import ValetModel

@testable import ValetProtocol

/// A page as plain values, the model that the codec is compared with.
struct PlainPage: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        case null
        case integer(Int64)
        /// Compared by bits.
        case realBits(UInt64)
        case textBytes([UInt8])
        case blob(Int)

        static func real(_ value: Double) -> Value { .realBits(value.bitPattern) }
        static func text(_ value: String) -> Value { .textBytes(Array(value.utf8)) }
    }

    var rowIDs: [Int64]
    /// Column-major.
    var columns: [[Value]]

    func encode(name: UInt64 = 1, compressing: Bool = true) -> [ByteBuffer] {
        var builder = PageBuilder(rowIDs: rowIDs, columnCount: columns.count)
        for (column, values) in columns.enumerated() {
            for (row, value) in values.enumerated() {
                switch value {
                case .null: builder.set(row: row, column: column, to: .null)
                case .integer(let number):
                    builder.set(row: row, column: column, to: .integer(number))
                case .realBits(let bits):
                    builder.set(row: row, column: column, to: .real(Double(bitPattern: bits)))
                case .textBytes(let bytes):
                    bytes.withUnsafeBytes { builder.set(row: row, column: column, to: .text($0)) }
                case .blob(let byteCount):
                    builder.set(row: row, column: column, to: .blob(byteCount: byteCount))
                }
            }
        }
        return builder.encode(name: PageName(rawValue: name), compressing: compressing)
    }

    /// The page's frames, as a client gets them.
    func frames(name: UInt64 = 1) throws -> [PageFrame] {
        try encode(name: name).map { try PageFrame(frame: Frame(whole: $0.readableBytesView)) }
    }

    /// What a client must read: texts cut as the protocol says.
    var expected: [[Cell]] {
        let limit = min(1_024, (1 << 20) / (64 * max(1, columns.count)))
        return columns.map { $0.map { Self.cell($0, limit: limit) } }
    }

    private static func cell(_ value: Value, limit: Int) -> Cell {
        switch value {
        case .null: return .null
        case .integer(let number): return .integer(number)
        case .realBits(let bits): return .real(Double(bitPattern: bits))
        case .blob(let byteCount): return .blob(bytes: [], byteCount: byteCount)
        case .textBytes(let bytes):
            guard bytes.count > limit else { return Cell(textBytes: bytes) }
            // Before the last byte within the limit that can begin a scalar.
            let cut = (limit - 3...limit).last { bytes[$0] & 0xC0 != 0x80 } ?? limit - 3
            guard let text = String(validating: bytes.prefix(cut), as: UTF8.self) else {
                return .malformedText(bytes: Array(bytes.prefix(cut)), byteCount: bytes.count)
            }
            return .cutText(text, byteCount: bytes.count)
        }
    }
}

/// A page that a vector file shows.
struct PageSample: Sendable {
    let name: String
    let page: PlainPage
    /// False for pages that stand there as LZ4 blocks, of which only the contents are prescribed.
    var isPlain = true

    var frame: [UInt8] {
        Array(page.encode(compressing: !isPlain)[0].readableBytesView)
    }
}

extension PageSample {
    private static func ids(_ count: Int) -> [Int64] { (0..<count).map { Int64($0) * 3 + 100 } }

    private static func one(_ name: String, _ column: [PlainPage.Value]) -> PageSample {
        PageSample(name: name, page: PlainPage(rowIDs: ids(column.count), columns: [column]))
    }

    static let all: [PageSample] = [
        PageSample(name: "no rows, no columns", page: PlainPage(rowIDs: [], columns: [])),
        PageSample(name: "no rows, one column", page: PlainPage(rowIDs: [], columns: [[]])),
        PageSample(
            name: "row ids alone, over the whole range",
            page: PlainPage(rowIDs: [.min, .max, 0, -1], columns: [])),
        one("constant", [.text("red"), .text("red"), .text("red")]),
        one("constant NULL", [.null, .null]),
        one("dictionary", [.text("a"), .text("b"), .text("b"), .text("a")]),
        one("integers", [.integer(1_908), .integer(2_024), .integer(-1)]),
        one("integers over the whole range", [.integer(.min), .integer(.max)]),
        one("decimals", [.real(12.5), .real(40), .real(-0.1)]),
        one("texts", [.text("320i"), .text(""), .text("Citroën")]),
        one(
            "cells: reals that no decimal holds",
            [.real(-0.0), .real(.infinity), .realBits(0x7FF8_0000_0000_0001), .real(0.1)]),
        one(
            "cells: every kind",
            [
                .integer(-1), .real(0.5), .text("x"), .textBytes([0xFF]), .blob(70_000),
                .text(String(repeating: "é", count: 600)),
            ]),
        one("sparse integers", [.null, .integer(7), .null, .null, .integer(8)]),
        one(
            "sparse texts in nine rows",
            [.text("p"), .null, .null, .null, .null, .null, .null, .null, .text("q")]),
        PageSample(
            name: "three columns",
            page: PlainPage(
                rowIDs: [5, 4],
                columns: [
                    [.text("BMW"), .text("Buick")], [.integer(2_019), .integer(2_021)],
                    [.null, .real(0.25)],
                ])),
        PageSample(name: "every encoding", page: large(rows: 11, columns: 12)),
        PageSample(name: "LZ4: every encoding", page: large(rows: 64, columns: 12), isPlain: false),
        PageSample(
            name: "LZ4: row ids alone, over the whole range",
            page: PlainPage(rowIDs: [.min, .max, 0, -1], columns: []), isPlain: false),
    ]

    /// A page whose columns take turns through the encodings, with repetitions for LZ4 to find.
    static func large(rows: Int, columns: Int) -> PlainPage {
        let columns = (0..<columns).map { column in
            (0..<rows).map { row in
                let number = Int64(row * 7919 % 97)
                let isGap = column >= 6 && row % 3 == 0
                return isGap ? .null : value(kind: column % 6, number)
            }
        }
        return PlainPage(rowIDs: ids(rows), columns: columns)
    }

    private static func value(kind: Int, _ number: Int64) -> PlainPage.Value {
        switch kind {
        case 0: .text("the same in every row")
        case 1: .text("one of seven: \(number % 7)")
        case 2: .integer(1_900 + number)
        case 3: .real(Double(number) / 4)
        case 4: .text("rather a long text, and each another: \(number)")
        default: number % 2 == 0 ? .integer(number) : .text("number \(number)")
        }
    }
}

extension Dissection {
    /// The payload of a frame, which is no continuation of a page.
    init(frame: [UInt8]) {
        self.init(Array(frame.dropFirst(Frame.headerBytes)))
        guard let kind = FrameKind(rawValue: frame[4]) else { return }
        take(Layout.fields(of: kind))
        if kind == .page { takePage(isCompressed: frame[5] == 1) }
    }

    private mutating func takePage(isCompressed: Bool) {
        guard !isCompressed else { return takeFixed("LZ4 block", byteCount: bytes.count - place) }
        let rows = Int(takeVarint("rows", as: .count))
        let columns = Int(takeVarint("columns", as: .count))
        for row in 0..<rows { takeSigned("row id[\(row)], less the one before") }
        for column in 0..<columns { takeColumn("column[\(column)]", rows: rows) }
    }

    private mutating func takeColumn(_ label: String, rows: Int) {
        let encoding = takeByte("\(label).encoding", as: .choice)
        let bitmapBytes = encoding & 0x80 == 0 ? 0 : (rows + 7) / 8
        let bitmap = (0..<bitmapBytes).map { takeByte("\(label).bitmap[\($0)]", as: .fixed) }
        let present = bitmapBytes == 0 ? rows : bitmap.map(\.nonzeroBitCount).reduce(0, +)
        switch encoding & 0x7F {
        case 0: take([Layout.cell], prefix: "\(label).")
        case 1:
            let count = Int(takeVarint("number of \(label).texts", as: .count))
            takeTexts("\(label).text", count: count)
            for row in 0..<present { takeByte("\(label).code[\(row)]", as: .choice) }
        case 3:
            takeByte("\(label).scale", as: .choice)
            takeDifferences(label, count: present)
        case 2: takeDifferences(label, count: present)
        case 4: takeTexts("\(label).text", count: present)
        default: for row in 0..<present { take([Layout.cell], prefix: "\(label)[\(row)].") }
        }
    }

    private mutating func takeDifferences(_ label: String, count: Int) {
        for row in 0..<count { takeSigned("\(label)[\(row)], less the one before") }
    }

    private mutating func takeTexts(_ label: String, count: Int) {
        let lengths = (0..<count).map { Int(takeVarint("\(label)[\($0)].length")) }
        for (row, length) in lengths.enumerated() where length > 0 {
            takeFixed("\(label)[\(row)]", byteCount: length)
        }
    }
}

extension PageAssembler {
    /// The page as a client that shows it reads it, when `frame` completes it.
    mutating func addDecoding(_ frame: PageFrame) throws(ValetError) -> DecodedPage? {
        guard let raw = try add(frame) else { return nil }
        return try DecodedPage(raw)
    }
}
