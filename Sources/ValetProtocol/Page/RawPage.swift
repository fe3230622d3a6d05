import NIOCore
import ValetModel

/// A complete page whose columns have not been decoded.
///
/// A prefetched page may never be shown, so its cells are decoded only when it is.
package struct RawPage: Hashable, Sendable {
    package let rowCount: Int
    package let columnCount: Int
    let bytes: ByteBuffer

    package init(encoding: ByteBuffer, sizes: PageFrame.Sizes) throws(ValetError) {
        bytes =
            sizes.isCompressed
            ? try LZ4.decompress(encoding, rawBytes: sizes.rawBytes) : encoding
        var reader = PayloadReader(bytes)
        (rowCount, columnCount) = try Self.counts(&reader)
    }

    private init(_ page: RawPage, bytes: ByteBuffer) {
        rowCount = page.rowCount
        columnCount = page.columnCount
        self.bytes = bytes
    }

    package var byteCount: Int { bytes.readableBytes }

    /// A copy for the cache, in memory of its own. An uncompressed encoding is a slice of the
    /// receive buffer, which may be much larger and lives as long as the slice.
    package var detached: RawPage {
        // A buffer allocated for these bytes has at most twice their size.
        guard bytes.storageCapacity > 2 * byteCount else { return self }
        return RawPage(self, bytes: ByteBuffer(buffer: bytes))
    }

    static func counts(
        _ reader: inout PayloadReader
    ) throws(ValetError) -> (rows: Int, columns: Int) {
        let rows = try reader.count(of: "rows of a page", limit: Limits.rowsPerLeaf)
        return (rows, try reader.count(of: "columns", limit: Limits.columnsPerList))
    }
}
