import NIOCore
import ValetModel
import ValetProtocol
import ValetStore

/// A page of cars, to bytes and back. SQLite has no part in it.
struct PageMicro {
    private let timer: MicroTimer
    private let cells: PageCells
    private let page: PageFrame
    private let sizes: PageFrame.Sizes
    private let block: ByteBuffer

    private static let name = PageName(rawValue: 1)

    init(timer: MicroTimer, cells: PageCells) throws(ValetError) {
        self.timer = timer
        self.cells = cells
        var bytes = cells.encoded(as: Self.name).reduce(into: ByteBuffer()) { bytes, frame in
            bytes.writeImmutableBuffer(frame)
        }
        guard
            let frame = try Frame(takingFrom: &bytes, payloadLimit: Limits.bytesPerServerFrame),
            case let page = try PageFrame(frame: frame), let sizes = page.sizes,
            sizes.encodedBytes == page.part.readableBytes, let block = LZ4.compress(page.part)
        else { throw ValetError(.limitExceeded, "a page is too long to measure with") }
        self.page = page
        self.sizes = sizes
        self.block = block
    }

    func measure() throws(ValetError) -> [Measurement] {
        // Fails here, not inside the timed code, if the page is wrong.
        _ = try DecodedPage(encoding: page.part, sizes: sizes)
        _ = try LZ4.decompress(block, rawBytes: sizes.rawBytes)
        return [
            timer.measure("page.encode", "encode a page of 64 rows", batch: 20) { _ in
                cells.encoded(as: Self.name)[0].readableBytes
            },
            timer.measure("page.decode", "decode a page of 64 rows", batch: 20) { _ in
                let page = try? DecodedPage(encoding: page.part, sizes: sizes)
                return page?.columns.count ?? 0
            },
            timer.measure("lz4.compress", "LZ4 of a page", batch: 50) { _ in
                LZ4.compress(page.part)?.readableBytes ?? 0
            },
            timer.measure("lz4.decompress", "a page out of LZ4", batch: 50) { _ in
                (try? LZ4.decompress(block, rawBytes: sizes.rawBytes))?.readableBytes ?? 0
            },
        ]
    }
}

/// The cells of a page as SQLite lends them, but from memory.
struct PageCells {
    private enum Value {
        case other(BorrowedValue)
        case text(Range<Int>)
    }

    private let ids: [Int64]
    private let columns: Int
    private var values: [(row: Int, column: Int, value: Value)] = []
    private var texts: [UInt8] = []

    init(list: Int, columns: Int, ids: [Int64], _ reader: Reader) throws(ValetError) {
        self.ids = ids
        self.columns = columns
        var (values, texts) = (values, texts)
        try reader.rows(list: list, ids: ids, columns: Array(0..<columns)) { row, stored in
            for column in 0..<columns {
                switch stored[column] {
                case .text(let bytes):
                    let start = texts.count
                    texts.append(contentsOf: bytes)
                    values.append((row, column, .text(start..<texts.count)))
                case let value: values.append((row, column, .other(value)))
                }
            }
        }
        (self.values, self.texts) = (values, texts)
    }

    func encoded(as name: PageName) -> [ByteBuffer] {
        var page = PageBuilder(rowIDs: ids, columnCount: columns)
        texts.withUnsafeBytes { texts in
            for (row, column, value) in values {
                switch value {
                case .other(let value): page.set(row: row, column: column, to: value)
                case .text(let range):
                    let bytes = UnsafeRawBufferPointer(rebasing: texts[range])
                    page.set(row: row, column: column, to: .text(bytes))
                }
            }
        }
        return page.encode(name: name, compressing: false)
    }
}
