import NIOCore
import ValetModel

/// The answer to opening or rearranging a view.
///
/// ```
/// varint            request
/// varint            generation
/// u64               epoch of the list
/// varint            revision
/// varint, varint    rows, sections
/// text              grouping that holds
/// optional varint   the column that it reads
/// bool              sectioned: false shows rows without headers
/// bool              has an index
/// list varint       columns that pages carry, by position in the list: those asked for, or all
/// times             see `Times`
/// ```
package struct ViewOpened: Message {
    package static let kind = FrameKind.viewOpened

    package var request: UInt32
    package var generation: UInt32
    package var epoch: UInt64
    package var revision: UInt64
    package var totalRows: Int
    package var totalSections: Int
    package var grouping: String
    package var groupingColumn: Int?
    package var isSectioned: Bool
    package var hasIndex: Bool
    package var columns: [Int]
    package var times: Times

    package init(
        request: UInt32, generation: UInt32, epoch: UInt64, revision: UInt64, totalRows: Int,
        totalSections: Int, grouping: String, groupingColumn: Int?, isSectioned: Bool,
        hasIndex: Bool, columns: [Int], times: Times
    ) {
        self.request = request
        self.generation = generation
        self.epoch = epoch
        self.revision = revision
        self.totalRows = totalRows
        self.totalSections = totalSections
        self.grouping = grouping
        self.groupingColumn = groupingColumn
        self.isSectioned = isSectioned
        self.hasIndex = hasIndex
        self.columns = columns
        self.times = times
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(generation))
        payload.writeFixed64(epoch)
        payload.writeVarint(revision)
        payload.writeCount(totalRows)
        payload.writeCount(totalSections)
        payload.writeText(grouping)
        payload.writeOptionalCount(groupingColumn)
        payload.writeBool(isSectioned)
        payload.writeBool(hasIndex)
        payload.writeCounts(columns)
        times.write(into: &payload)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        generation = try payload.uint32()
        epoch = try payload.fixed64()
        revision = try payload.varint()
        totalRows = try payload.count()
        totalSections = try payload.count()
        grouping = try payload.name("grouping name")
        groupingColumn = try payload.optionalCount()
        isSectioned = try payload.bool()
        hasIndex = try payload.bool()
        columns = try payload.counts(of: "columns", limit: Limits.columnsPerList)
        times = try Times(reading: &payload)
    }
}
