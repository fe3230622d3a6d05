import NIOCore
import ValetModel

/// One list of the catalog. A catalog is sent as one of these per list, in order, or a single one
/// without a list if there are none.
///
/// ```
/// varint   request
/// varint   lists in all
/// varint   this list's ordinal
/// optional (list, optional varint)   the description and the row count, if it is known
/// varint   tables and views that can't be lists
/// list     the first of them: text name, text reason; none but in the first frame
/// ```
package struct CatalogAnswer: Message {
    package static let kind = FrameKind.catalogAnswer

    package struct Entry: Hashable, Sendable {
        package var list: ListDescription
        package var rowCount: Int?

        package init(list: ListDescription, rowCount: Int?) {
            self.list = list
            self.rowCount = rowCount
        }
    }

    package var request: UInt32
    package var total: Int
    package var ordinal: Int
    package var entry: Entry?
    package var leftOutCount: Int
    package var leftOut: [LeftOut]

    package init(
        request: UInt32, total: Int, ordinal: Int, entry: Entry?, leftOutCount: Int = 0,
        leftOut: [LeftOut] = []
    ) {
        self.request = request
        self.total = total
        self.ordinal = ordinal
        self.entry = entry
        self.leftOutCount = leftOutCount
        self.leftOut = leftOut
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeCount(total)
        payload.writeCount(ordinal)
        payload.writeOptional(entry) { payload, entry in
            entry.list.write(into: &payload)
            payload.writeOptionalCount(entry.rowCount)
        }
        payload.writeCount(leftOutCount)
        payload.writeList(leftOut) { payload, table in
            payload.writeText(table.name)
            payload.writeText(table.reason)
        }
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        total = try payload.count("count of lists", atMost: Limits.lists)
        ordinal = try payload.count()
        entry = try payload.optional { payload throws(ValetError) in
            Entry(
                list: try ListDescription(reading: &payload),
                rowCount: try payload.optionalCount())
        }
        guard total == 0 ? entry == nil && ordinal == 0 : entry != nil && ordinal < total else {
            throw PayloadReader.malformed("list \(ordinal) of \(total)")
        }
        leftOutCount = try payload.count()
        leftOut = try payload.list(of: "tables left out", limit: Limits.tablesLeftOut) {
            payload throws(ValetError) in
            LeftOut(
                name: try payload.name("table"),
                reason: try payload.text("reason", limit: Limits.bytesPerMessage))
        }
        guard leftOut.count <= leftOutCount, ordinal == 0 || leftOutCount == 0 else {
            throw PayloadReader.malformed("tables left out in list \(ordinal)")
        }
    }
}
