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

    static func counts(
        _ reader: inout PayloadReader
    ) throws(ValetError) -> (rows: Int, columns: Int) {
        let rows = try reader.count(of: "rows of a page", limit: Limits.rowsPerLeaf)
        return (rows, try reader.count(of: "columns", limit: Limits.columnsPerList))
    }
}
