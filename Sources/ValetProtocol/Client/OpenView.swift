import NIOCore
import ValetModel

/// Opens a view on the frame's stream, which no open view of the connection may use.
///
/// ```
/// varint     request
/// varint     generation
/// text       list
/// list text  columns that pages shall carry; none for all
/// query   see `Query.write`
/// bool       pinned
/// ```
package struct OpenView: Message {
    package static let kind = FrameKind.openView

    package var request: UInt32
    package var generation: UInt32
    package var list: String
    package var columns: [String]
    package var query: Query
    /// Whether all answers about the view are of one revision.
    package var isPinned: Bool

    package init(
        request: UInt32, generation: UInt32, list: String, columns: [String] = [],
        query: Query, isPinned: Bool = false
    ) {
        self.request = request
        self.generation = generation
        self.list = list
        self.columns = columns
        self.query = query
        self.isPinned = isPinned
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(generation))
        payload.writeText(list)
        payload.writeList(columns) { $0.writeText($1) }
        query.write(into: &payload)
        payload.writeBool(isPinned)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        generation = try payload.uint32()
        list = try payload.name("list name")
        columns = try payload.list(of: "columns", limit: Limits.columnsPerList) {
            payload throws(ValetError) in try payload.name("column name")
        }
        query = try Query(reading: &payload)
        isPinned = try payload.bool()
    }
}
