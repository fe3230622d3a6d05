import NIOCore
import ValetModel

/// Asks for measures of all rows of a view, and of sections.
///
/// ```
/// varint        request
/// varint        generation
/// list measure  text column, u8 function
/// bool          of all rows
/// list varint   section ordinals
/// ```
package struct AggregatesRequest: Message {
    package static let kind = FrameKind.aggregatesRequest

    package var request: UInt32
    package var generation: UInt32
    package var measures: [Measure]
    package var wantsAllRows: Bool
    package var sections: [Int]

    package init(
        request: UInt32, generation: UInt32, measures: [Measure], wantsAllRows: Bool,
        sections: [Int]
    ) {
        self.request = request
        self.generation = generation
        self.measures = measures
        self.wantsAllRows = wantsAllRows
        self.sections = sections
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(generation))
        payload.writeList(measures) { payload, measure in
            payload.writeText(measure.column)
            payload.writeByte(measure.function.rawValue)
        }
        payload.writeBool(wantsAllRows)
        payload.writeCounts(sections)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        generation = try payload.uint32()
        measures = try payload.list(of: "measures", limit: Limits.measuresPerRequest) {
            payload throws(ValetError) in
            Measure(
                column: try payload.name("column name"),
                function: try payload.choice("aggregate function"))
        }
        wantsAllRows = try payload.bool()
        sections = try payload.counts(of: "sections", limit: Limits.sectionsPerAggregates)
    }
}
