import NIOCore
import ValetModel

/// Asks for the lists and their row counts.
///
/// ```
/// varint   request
/// bool     countsRows   whether rows shall be counted where their count is not known
/// ```
package struct CatalogRequest: Message {
    package static let kind = FrameKind.catalogRequest

    package var request: UInt32
    /// Counting scans each table whose count is unknown; without it, the answer comes at once.
    package var countsRows: Bool

    package init(request: UInt32, countsRows: Bool) {
        self.request = request
        self.countsRows = countsRows
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeBool(countsRows)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        countsRows = try payload.bool()
    }
}
