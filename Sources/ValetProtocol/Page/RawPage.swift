import NIOCore
import ValetModel

/// A page that is here as a whole, before its columns are looked at.
///
/// A page that was sent ahead may never be shown: until it is, its cells are not worth making.
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

    /// The page for keeping, in memory of its own. An encoding that was not compressed is a slice
    /// of all that was received with it, which may be much more and lives as long as the slice.
    package var detached: RawPage {
        // A buffer that was made for the bytes is up to twice as large.
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
