import NIOCore
import ValetModel

/// ```
/// varint, varint            revision, place in it
/// signed                    time in microseconds since 1970, UTC
/// text                      station
/// optional (u64 × 2, varint) command: writer, number
/// optional effect           u8: 0 inserted, 1 updated, 2 deleted; signed row id;
///                           list (varint column, cell before, cell after)
/// ```
extension LoggedChange: Field {
    func write(into payload: inout ByteBuffer) {
        position.write(into: &payload)
        payload.writeSigned(time)
        payload.writeText(station.cut(toBytes: Limits.bytesPerName))
        payload.writeOptional(command)
        payload.writeOptional(effect)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            position: try LogPosition(reading: &payload), time: try payload.signed(),
            station: try payload.name("station name"),
            command: try payload.optional(), effect: try payload.optional())
    }
}

extension LogPosition: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeVarint(revision)
        payload.writeCount(place)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(revision: try payload.varint(), place: try payload.count())
    }
}

extension RowEffect: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeByte(kind.rawValue)
        payload.writeSigned(rowID)
        payload.writeList(cells) { payload, change in
            payload.writeCount(change.column)
            change.before.writeCut(into: &payload)
            change.after.writeCut(into: &payload)
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            kind: try payload.choice("kind of effect"), rowID: try payload.signed(),
            cells: try payload.list(of: "cells", limit: Limits.columnsPerList) {
                payload throws(ValetError) in
                CellChange(
                    column: try payload.count(), before: try Cell(readingCut: &payload),
                    after: try Cell(readingCut: &payload))
            })
    }
}

/// Cells that tell of a change are cut: whoever needs the rest reads the row.
extension Cell {
    func writeCut(into payload: inout ByteBuffer) {
        cut(toBytes: Limits.bytesPerSeenValue).write(into: &payload)
    }

    init(readingCut payload: inout PayloadReader) throws(ValetError) {
        try self.init(reading: &payload, limit: Limits.bytesPerSeenValue)
    }
}
