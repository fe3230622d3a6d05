import NIOCore
import ValetModel

/// Collects one leaf's rows in one projection and encodes them, column by column.
///
/// ```
/// varint   rows
/// varint   columns
/// signed   first row id, then signed differences
/// column   for each: see `PageEncoding`
/// ```
package struct PageBuilder {
    struct Value {
        enum Kind: UInt8 { case null, integer, real, text, malformedText, cutText, blob }

        var kind = Kind.null
        /// The integer, the real's bits, or the full byte count of a cut value.
        var number: Int64 = 0
        /// The range of the value's bytes in `texts`.
        var bytes: Range<Int> = 0..<0
    }

    private let rowIDs: [Int64]
    private let columnCount: Int
    private let bytesPerText: Int
    /// Column-major. A row that was deleted from the table keeps its NULLs.
    private var values: [Value]
    private var texts: [UInt8] = []

    package init(rowIDs: [Int64], columnCount: Int) {
        precondition(rowIDs.count <= Limits.rowsPerLeaf && columnCount <= Limits.columnsPerList)
        self.rowIDs = rowIDs
        self.columnCount = columnCount
        bytesPerText = min(
            Limits.bytesPerPageText,
            Limits.textBytesPerPage / (Limits.rowsPerLeaf * max(1, columnCount)))
        values = Array(repeating: Value(), count: rowIDs.count * columnCount)
        texts.reserveCapacity(2_048)
    }

    package mutating func set(row: Int, column: Int, to value: BorrowedValue) {
        let place = column * rowIDs.count + row
        switch value {
        case .null: values[place] = Value()
        case .integer(let number): values[place] = Value(kind: .integer, number: number)
        case .real(let number):
            values[place] = Value(kind: .real, number: Int64(bitPattern: number.bitPattern))
        case .text(let bytes): values[place] = store(bytes)
        case .blob(let byteCount): values[place] = Value(kind: .blob, number: Int64(byteCount))
        }
    }

    /// Sets the value of an earlier row of the column.
    package mutating func set(row: Int, column: Int, asIn earlier: Int) {
        values[column * rowIDs.count + row] = values[column * rowIDs.count + earlier]
    }

    private mutating func store(_ bytes: UnsafeRawBufferPointer) -> Value {
        let part = bytes.cut(toBytes: bytesPerText)
        let kind: Value.Kind =
            !part.isUTF8 ? .malformedText : part.count < bytes.count ? .cutText : .text
        let start = texts.count
        texts.append(contentsOf: part)
        return Value(kind: kind, number: Int64(bytes.count), bytes: start..<texts.count)
    }

    /// An upper bound on a frame's bytes before its part of the encoding.
    private static let bytesAhead = 24

    /// The page's frames: one, unless the encoding exceeds a frame. All are slices of one buffer,
    /// because buffers grow by powers of two and one per frame would take twice the bytes.
    package func encode(name: PageName, compressing: Bool = true) -> [ByteBuffer] {
        let raw = rawPage()
        let block = compressing ? LZ4.compress(raw) : nil
        var encoding = block ?? raw
        let sizes = PageFrame.Sizes(
            rawBytes: raw.readableBytes, encodedBytes: encoding.readableBytes,
            isCompressed: block != nil)
        let parts = (encoding.readableBytes - 1) / Limits.bytesPerPageFrame + 1
        var bytes = ByteBufferAllocator()
            .buffer(capacity: encoding.readableBytes + parts * Self.bytesAhead)
        var ends: [Int] = []
        while encoding.readableBytes > 0 {
            let length = min(encoding.readableBytes, Limits.bytesPerPageFrame)
            let part = encoding.readSlice(length: length) ?? ByteBuffer()
            PageFrame(name: name, sizes: ends.isEmpty ? sizes : nil, part: part)
                .encode(into: &bytes)
            ends.append(bytes.writerIndex)
        }
        return zip([0] + ends, ends).compactMap { bytes.getSlice(at: $0, length: $1 - $0) }
    }

    private func rawPage() -> ByteBuffer {
        var raw = ByteBufferAllocator().buffer(capacity: 256 + texts.count + 8 * rowIDs.count)
        raw.writeCount(rowIDs.count)
        raw.writeCount(columnCount)
        raw.writeDifferences(rowIDs)
        for column in 0..<columnCount {
            let start = column * rowIDs.count
            PageColumnWriter(values: values[start..<start + rowIDs.count], texts: texts)
                .write(into: &raw)
        }
        return raw
    }
}

extension ByteBuffer {
    mutating func writeDifferences(_ numbers: some Collection<Int64>) {
        var previous: Int64 = 0
        for number in numbers {
            writeSigned(number &- previous)
            previous = number
        }
    }
}

extension UnsafeRawBufferPointer {
    package var isUTF8: Bool {
        // ORs all bytes together first: without a branch per byte the loop vectorises.
        if reduce(0, |) < 0x80 { return true }
        return String(validating: self, as: UTF8.self) != nil
    }
}
