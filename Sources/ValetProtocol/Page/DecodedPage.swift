import NIOCore
import ValetModel

/// A decoded page.
package struct DecodedPage: Hashable, Sendable {
    package var rowIDs: [Int64]
    /// Column-major: for each column of the projection, a cell per row.
    package var columns: [[Cell]]

    package init(encoding: ByteBuffer, sizes: PageFrame.Sizes) throws(ValetError) {
        try self.init(RawPage(encoding: encoding, sizes: sizes))
    }

    package init(_ raw: RawPage) throws(ValetError) {
        var reader = PayloadReader(raw.bytes)
        let (rowCount, columnCount) = try RawPage.counts(&reader)
        var rowIDs: [Int64] = []
        rowIDs.reserveCapacity(rowCount)
        try reader.differences(rowCount) { rowIDs.append($0) }
        self.rowIDs = rowIDs
        columns = []
        columns.reserveCapacity(columnCount)
        for _ in 0..<columnCount {
            columns.append(try Self.column(rowCount: rowCount, from: &reader))
        }
        try reader.finish()
    }

    private static func column(
        rowCount: Int, from reader: inout PayloadReader
    ) throws(ValetError) -> [Cell] {
        let byte = try reader.byte()
        guard let encoding = PageEncoding(rawValue: byte & ~PageEncoding.sparseFlag) else {
            throw PayloadReader.malformed("\(byte) is no column encoding")
        }
        guard byte & PageEncoding.sparseFlag != 0 else {
            return try present(rowCount, as: encoding, from: &reader)
        }
        var rows: [Int] = []
        for start in stride(from: 0, to: rowCount, by: 8) {
            let bits = try reader.byte()
            for bit in 0..<8 where bits >> UInt8(bit) & 1 == 1 {
                guard start + bit < rowCount else {
                    throw PayloadReader.malformed("a bit beyond the last row")
                }
                rows.append(start + bit)
            }
        }
        let cells = try present(rows.count, as: encoding, from: &reader)
        var column = [Cell](repeating: .null, count: rowCount)
        for (row, cell) in zip(rows, cells) { column[row] = cell }
        return column
    }

    private static func present(
        _ count: Int, as encoding: PageEncoding, from reader: inout PayloadReader
    ) throws(ValetError) -> [Cell] {
        var cells: [Cell] = []
        cells.reserveCapacity(count)
        switch encoding {
        case .constant: return Array(repeating: try cell(from: &reader), count: count)
        case .dictionary:
            let entryCount = try reader.count(of: "texts", limit: Limits.rowsPerLeaf)
            var entries: [Cell] = []
            entries.reserveCapacity(entryCount)
            try reader.texts(entryCount, limit: Limits.bytesPerPageText) {
                entries.append(.text($0))
            }
            for _ in 0..<count {
                let code = Int(try reader.byte())
                guard code < entries.count else {
                    throw PayloadReader.malformed("code \(code) of \(entries.count) texts")
                }
                cells.append(entries[code])
            }
        case .integers: try reader.differences(count) { cells.append(.integer($0)) }
        case .decimals:
            let scale = Int(try reader.byte())
            guard scale <= Decimals.largestScale else {
                throw PayloadReader.malformed("decimal scale \(scale)")
            }
            let power = Decimals.powers[scale]
            try reader.differences(count) { cells.append(.real(Double($0) / power)) }
        case .texts:
            try reader.texts(count, limit: Limits.bytesPerPageText) { cells.append(.text($0)) }
        case .cells:
            for _ in 0..<count { cells.append(try cell(from: &reader)) }
        }
        return cells
    }

    private static func cell(from reader: inout PayloadReader) throws(ValetError) -> Cell {
        try Cell(reading: &reader, limit: Limits.bytesPerPageText)
    }
}
