import NIOCore
import ValetModel

@testable import ValetProtocol

extension FuzzTarget {
    static func readFrames(_ bytes: [UInt8]) throws {
        var buffer = ByteBuffer(bytes: bytes)
        var assembler = PageAssembler()
        let limit = Limits.bytesPerServerFrame
        while let frame = try? Frame(takingFrom: &buffer, payloadLimit: limit) {
            if let message = try? ClientMessage(frame: frame) {
                var written = ByteBuffer()
                message.encode(stream: frame.stream, into: &written)
                let again = try Frame(takingFrom: &written, payloadLimit: limit)
                try check(again?.payload == frame.payload, "\(message) is written otherwise")
            }
            guard let message = try? ServerMessage(frame: frame) else { continue }
            var written = ByteBuffer()
            message.encode(stream: frame.stream, into: &written)
            // Not the same bytes: an error of a kind that isn't known is one without a kind.
            let again = try Frame(takingFrom: &written, payloadLimit: limit).flatMap {
                try ServerMessage(frame: $0)
            }
            let (read, same) = ("\(message)", again.map { "\($0)" })
            try check(read == same, "\(read) is written otherwise")
            guard case .page(let page) = message else { continue }
            if let raw = try? assembler.add(page), let decoded = try? DecodedPage(raw) {
                try checkForm(decoded)
            }
        }
    }

    /// The first two bytes are the size before compression, the third says whether there is any.
    static func readPage(_ bytes: [UInt8]) throws {
        guard bytes.count > 3 else { return }
        let sizes = PageFrame.Sizes(
            rawBytes: Int(bytes[0]) << 8 | Int(bytes[1]), encodedBytes: bytes.count - 3,
            isCompressed: bytes[2] & 1 == 1)
        let encoding = ByteBuffer(bytes: bytes[3...])
        guard let page = try? DecodedPage(encoding: encoding, sizes: sizes) else { return }
        try checkForm(page)
    }

    private static func checkForm(_ page: DecodedPage) throws {
        try check(page.rowIDs.count <= Limits.rowsPerLeaf, "\(page.rowIDs.count) rows")
        for column in page.columns {
            try check(column.count == page.rowIDs.count, "a column of \(column.count) cells")
        }
    }

    /// The first two bytes are the numbers of rows and columns. Each cell takes a byte for its
    /// kind, and what it needs.
    static func passRows(_ bytes: [UInt8]) throws {
        guard bytes.count > 2 else { return }
        let rows = Int(bytes[0]) % Limits.rowsPerLeaf + 1
        let columns = Int(bytes[1]) % 8
        var rest = bytes[2...]
        func number() -> Int64 {
            let eight = rest.prefix(8)
            rest = rest.dropFirst(8)
            return eight.reduce(0) { $0 << 8 | Int64($1) }
        }
        let rowIDs = (0..<rows).map { _ in rest.first == 0 ? Int64(rest.count) : number() }
        var builder = PageBuilder(rowIDs: rowIDs, columnCount: columns)
        var cells = Array(repeating: Array(repeating: Cell.null, count: rows), count: columns)
        for column in 0..<columns {
            for row in 0..<rows {
                let kind = rest.popFirst() ?? 0
                switch kind % 6 {
                case 0: builder.set(row: row, column: column, to: .null)
                case 1:
                    let value = number()
                    builder.set(row: row, column: column, to: .integer(value))
                    cells[column][row] = .integer(value)
                case 2:
                    let value = Double(bitPattern: UInt64(bitPattern: number()))
                    builder.set(row: row, column: column, to: .real(value))
                    cells[column][row] = .real(value)
                case 3:
                    let count = Int(kind / 6)
                    builder.set(row: row, column: column, to: .blob(byteCount: count))
                    cells[column][row] = .blob(bytes: [], byteCount: count)
                case 4 where row > 0:
                    let earlier = Int(kind / 6) % row
                    builder.set(row: row, column: column, asIn: earlier)
                    cells[column][row] = cells[column][earlier]
                default:
                    let text = rest.prefix(Int(kind / 6))
                    rest = rest.dropFirst(text.count)
                    text.withUnsafeBytes {
                        builder.set(row: row, column: column, to: .text($0))
                    }
                    cells[column][row] =
                        String(validating: text, as: UTF8.self).map(Cell.text)
                        ?? .malformedText(bytes: Array(text), byteCount: text.count)
                }
            }
        }
        var assembler = PageAssembler()
        var page: DecodedPage?
        for var bytes in builder.encode(name: PageName(rawValue: 7)) {
            let limit = Limits.bytesPerServerFrame
            guard let frame = try Frame(takingFrom: &bytes, payloadLimit: limit),
                case .page(let part)? = try ServerMessage(frame: frame)
            else { throw Broken(what: "what was encoded is no page") }
            page = try assembler.add(part).map { try DecodedPage($0) }
        }
        try check(page?.rowIDs == rowIDs, "other row ids")
        let wanted = cells.map { $0.map(\.storedForm) }
        let got = page?.columns.map { $0.map(\.storedForm) }
        try check(got == wanted, "\(wanted) became \(got ?? [])")
    }
}

extension Cell {
    /// Equal for the same bits, also of a NaN.
    fileprivate var storedForm: String {
        if case .real(let number) = self { "\(number.bitPattern)" } else { "\(self)" }
    }
}
