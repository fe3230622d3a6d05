import NIOCore
import ValetModel
import ValetProtocol
import ValetStore

/// A page of cars, to bytes and back. SQLite has no part in it.
extension MicroBench {
    func pages() throws -> [Measurement] {
        let name = PageName(rawValue: 1)
        var bytes = page.encoded(as: name).reduce(into: ByteBuffer()) { bytes, frame in
            bytes.writeImmutableBuffer(frame)
        }
        guard
            let frame = try Frame(takingFrom: &bytes, payloadLimit: Limits.bytesPerServerFrame),
            case let encoded = try PageFrame(frame: frame), let sizes = encoded.sizes,
            sizes.encodedBytes == encoded.part.readableBytes,
            let block = LZ4.compress(encoded.part)
        else { throw ValetError(.limitExceeded, "a page is too long to measure with") }
        // Fails here, not inside the timed code, if the page is wrong.
        _ = try DecodedPage(encoding: encoded.part, sizes: sizes)
        _ = try LZ4.decompress(block, rawBytes: sizes.rawBytes)
        return [
            try timer.measure("page.encode", "encode a page of 64 rows", batch: 20) { _ in
                page.encoded(as: name)[0].readableBytes
            },
            try timer.measure("page.decode", "decode a page of 64 rows", batch: 20) { _ in
                (try? DecodedPage(encoding: encoded.part, sizes: sizes))?.columns.count ?? 0
            },
            try timer.measure("lz4.compress", "LZ4 of a page", batch: 50) { _ in
                LZ4.compress(encoded.part)?.readableBytes ?? 0
            },
            try timer.measure("lz4.decompress", "a page out of LZ4", batch: 50) { _ in
                (try? LZ4.decompress(block, rawBytes: sizes.rawBytes))?.readableBytes ?? 0
            },
        ]
    }
}

/// The cells of a page as SQLite lends them, but from memory.
struct PageCells {
    private enum Value {
        case other(BorrowedValue)
        case text([UInt8])
    }

    private let ids: [Int64]
    private let columns: Int
    private let values: [(row: Int, column: Int, value: Value)]

    init(list: Int, columns: Int, ids: [Int64], _ reader: Reader) throws {
        self.ids = ids
        self.columns = columns
        var values: [(row: Int, column: Int, value: Value)] = []
        try reader.rows(list: list, ids: ids, columns: Array(0..<columns)) { row, stored in
            for column in 0..<columns {
                switch stored[column] {
                case .text(let bytes): values.append((row, column, .text(Array(bytes))))
                case let value: values.append((row, column, .other(value)))
                }
            }
        }
        self.values = values
    }

    func encoded(as name: PageName) -> [ByteBuffer] {
        var page = PageBuilder(rowIDs: ids, columnCount: columns)
        for (row, column, value) in values {
            switch value {
            case .other(let value): page.set(row: row, column: column, to: value)
            case .text(let bytes):
                bytes.withUnsafeBytes { page.set(row: row, column: column, to: .text($0)) }
            }
        }
        return page.encode(name: name, compressing: false)
    }
}
