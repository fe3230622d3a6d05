import NIOCore
import ValetModel

/// Measures of all rows of a view, if that was requested, and of sections.
///
/// ```
/// varint         request
/// varint         generation
/// varint         revision
/// varint         section number
/// optional rows  varint rows, list value
/// list section   varint ordinal, varint rows, list value
/// ```
///
/// A value:
///
/// ```
/// u8 0             none
/// u8 1, cell       a cell
/// u8 2, u64, u64   a whole number that does not fit 64 bits: high and low half
/// ```
package struct AggregatesAnswer: Message {
    package static let kind = FrameKind.aggregatesAnswer

    package var request: UInt32
    package var generation: UInt32
    package var aggregates: Aggregates

    package init(request: UInt32, generation: UInt32, aggregates: Aggregates) {
        self.request = request
        self.generation = generation
        self.aggregates = aggregates
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(generation))
        payload.writeVarint(aggregates.revision)
        payload.writeVarint(aggregates.sectionsVersion)
        payload.writeOptional(aggregates.allRows)
        payload.writeList(aggregates.sections) { payload, section in
            payload.writeCount(section.section)
            section.rows.write(into: &payload)
        }
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        generation = try payload.uint32()
        aggregates = Aggregates(
            revision: try payload.varint(), sectionsVersion: try payload.varint(),
            allRows: try payload.optional(),
            sections: try payload.list(of: "sections", limit: Limits.sectionsPerAggregates) {
                payload throws(ValetError) in
                Aggregates.Section(
                    section: try payload.count(), rows: try Aggregates.Rows(reading: &payload))
            })
    }
}

extension Aggregates.Rows: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeCount(count)
        payload.writeList(values)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            count: try payload.count(),
            values: try payload.list(of: "values", limit: Limits.measuresPerRequest))
    }
}

extension AggregateValue: Field {
    func write(into payload: inout ByteBuffer) {
        switch self {
        case .none: payload.writeByte(0)
        case .cell(let cell): payload.writeCase(1) { cell.write(into: &$0) }
        case .whole(let number):
            payload.writeByte(2)
            payload.writeFixed64(UInt64(truncatingIfNeeded: number >> 64))
            payload.writeFixed64(UInt64(truncatingIfNeeded: number))
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .none
        case 1: self = .cell(try Cell(reading: &payload, limit: Limits.bytesPerPageText))
        case 2:
            let high = Int128(Int64(bitPattern: try payload.fixed64()))
            let number = high << 64 | Int128(try payload.fixed64())
            guard Int64(exactly: number) == nil else {
                throw PayloadReader.malformed("a whole number of 128 bits that fits 64")
            }
            self = .whole(number)
        case let other: throw PayloadReader.malformed("\(other) is no kind of value")
        }
    }
}
