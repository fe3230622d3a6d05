import NIOCore
import ValetModel

/// A whole row. Cells beyond the limit are cut and carry their full size; pieces fetch the rest.
///
/// ```
/// varint      request
/// varint      revision
/// signed      row id
/// list cell   one for each column of the list, see `Cell.write`
/// ```
package struct DetailAnswer: Message {
    package static let kind = FrameKind.detailAnswer

    package var request: UInt32
    package var revision: UInt64
    package var rowID: Int64
    package var cells: [Cell]

    package init(request: UInt32, revision: UInt64, rowID: Int64, cells: [Cell]) {
        self.request = request
        self.revision = revision
        self.rowID = rowID
        self.cells = cells
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(revision)
        payload.writeSigned(rowID)
        payload.writeList(cells)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        revision = try payload.varint()
        rowID = try payload.signed()
        cells = try payload.list(of: "cells", limit: Limits.columnsPerList)
    }
}
