import NIOCore
import ValetModel

/// ```
/// u8 0  insert            list of rows: list (varint column, cell)
/// u8 1  update            list (signed row id, list (varint column, cell, seen))
/// u8 2  delete            list (signed row id, optional varint revision)
/// u8 3  move              list signed row id, destination
/// u8 4  update matching   query, list (varint column, cell)
/// u8 5  delete matching   query
/// u8 6  undo
/// u8 7  redo
/// u8 8  skip undo         varint revision of the step
/// u8 9  force undo        varint revision of the step
/// ```
/// Seen is u8: 0 anything, 1 a cell, 2 a long value's size and hash as varint and u64.
///
/// A change has one encoding: rows stand once, columns of a row in ascending order, and cells are
/// whole.
extension Change {
    func write(into payload: inout ByteBuffer) {
        switch self {
        case .insert(let rows):
            payload.writeByte(0)
            payload.writeList(rows) { $1.write(into: &$0) }
        case .update(let edits):
            payload.writeByte(1)
            payload.writeList(edits) { payload, edit in
                payload.writeSigned(edit.rowID)
                payload.writeList(edit.cells) { $1.write(into: &$0) }
            }
        case .delete(let deletions):
            payload.writeByte(2)
            payload.writeList(deletions) { payload, deletion in
                payload.writeSigned(deletion.rowID)
                payload.writeOptional(deletion.seen) { $0.writeVarint($1) }
            }
        case .move(let rowIDs, let destination):
            payload.writeByte(3)
            payload.writeList(rowIDs) { $0.writeSigned($1) }
            destination.write(into: &payload)
        case .updateMatching(let query, let cells):
            payload.writeByte(4)
            query.write(into: &payload)
            cells.write(into: &payload)
        case .deleteMatching(let query):
            payload.writeByte(5)
            query.write(into: &payload)
        case .undo: payload.writeByte(6)
        case .redo: payload.writeByte(7)
        case .skipUndo(let step):
            payload.writeByte(8)
            payload.writeVarint(step)
        case .forceUndo(let step):
            payload.writeByte(9)
            payload.writeVarint(step)
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0:
            self = .insert(
                try payload.rows { payload throws(ValetError) in
                    try [ColumnValue](reading: &payload)
                })
        case 1:
            let edits = try payload.rows { payload throws(ValetError) in
                try RowEdit(reading: &payload)
            }
            try Self.checkOnce(edits.map(\.rowID))
            self = .update(edits)
        case 2:
            let deletions = try payload.rows { payload throws(ValetError) in
                RowDeletion(
                    rowID: try payload.signed(),
                    seen: try payload.optional { payload throws(ValetError) in
                        try payload.varint()
                    })
            }
            try Self.checkOnce(deletions.map(\.rowID))
            self = .delete(deletions)
        case 3:
            let rowIDs = try payload.rows { payload throws(ValetError) in try payload.signed() }
            let destination = try MoveDestination(reading: &payload)
            try Self.checkOnce(rowIDs + [destination.neighbour?.rowID].compactMap(\.self))
            self = .move(rowIDs: rowIDs, to: destination)
        case 4:
            let query = try Query(reading: &payload)
            let cells = try [ColumnValue](reading: &payload)
            guard !cells.isEmpty else { throw PayloadReader.malformed("an update of no cell") }
            self = .updateMatching(query, cells)
        case 5: self = .deleteMatching(try Query(reading: &payload))
        case 6: self = .undo
        case 7: self = .redo
        case 8: self = .skipUndo(step: try payload.varint())
        case 9: self = .forceUndo(step: try payload.varint())
        case let other: throw PayloadReader.malformed("\(other) is no kind of change")
        }
    }

    private static func checkOnce(_ rowIDs: [Int64]) throws(ValetError) {
        guard Set(rowIDs).count == rowIDs.count else {
            throw PayloadReader.malformed("a command that names a row twice")
        }
    }
}

extension PayloadReader {
    /// A command's rows: at least one.
    fileprivate mutating func rows<Row>(
        _ read: (inout PayloadReader) throws(ValetError) -> Row
    ) throws(ValetError) -> [Row] {
        let rows = try list(of: "rows per command", limit: Limits.rowsPerCommand, read)
        guard !rows.isEmpty else { throw Self.malformed("a command without a row") }
        return rows
    }

    fileprivate mutating func cells<Value>(
        _ column: (Value) -> Int, _ read: (inout PayloadReader) throws(ValetError) -> Value
    ) throws(ValetError) -> [Value] {
        var last = -1
        return try list(of: "cells", limit: Limits.columnsPerList) { payload throws(ValetError) in
            let value = try read(&payload)
            guard column(value) > last else {
                throw Self.malformed("columns that are not in ascending order")
            }
            last = column(value)
            return value
        }
    }
}

extension [ColumnValue] {
    fileprivate func write(into payload: inout ByteBuffer) {
        payload.writeList(self) { payload, value in
            payload.writeCount(value.column)
            value.value.write(into: &payload)
        }
    }

    fileprivate init(reading payload: inout PayloadReader) throws(ValetError) {
        self = try payload.cells(\.column) { payload throws(ValetError) in
            ColumnValue(column: try payload.count(), value: try Cell(readingWhole: &payload))
        }
    }
}

extension RowEdit {
    fileprivate init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            rowID: try payload.signed(),
            cells: try payload.cells(\.column) { payload throws(ValetError) in
                CellEdit(
                    column: try payload.count(), value: try Cell(readingWhole: &payload),
                    seen: try SeenValue(reading: &payload))
            })
        guard !cells.isEmpty else { throw PayloadReader.malformed("an update of no cell") }
    }
}

extension CellEdit {
    fileprivate func write(into payload: inout ByteBuffer) {
        payload.writeCount(column)
        value.write(into: &payload)
        seen.write(into: &payload)
    }
}

extension SeenValue {
    fileprivate func write(into payload: inout ByteBuffer) {
        switch self {
        case .anything: payload.writeByte(0)
        case .cell(let cell):
            payload.writeByte(1)
            cell.write(into: &payload)
        case .long(let digest):
            payload.writeByte(2)
            payload.writeCount(digest.byteCount)
            payload.writeFixed64(digest.hash)
        }
    }

    fileprivate init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .anything
        case 1:
            self = .cell(try Cell(readingWhole: &payload, limit: Limits.bytesPerSeenValue))
        case 2:
            let byteCount = try payload.count()
            guard byteCount > Limits.bytesPerSeenValue else {
                throw PayloadReader.malformed("a digest of \(byteCount) bytes")
            }
            self = .long(ValueDigest(byteCount: byteCount, hash: try payload.fixed64()))
        case let other: throw PayloadReader.malformed("\(other) is no kind of seen value")
        }
    }
}

extension Cell {
    /// Reads a value that is to be stored or compared.
    fileprivate init(
        readingWhole payload: inout PayloadReader, limit: Int = Limits.bytesPerClientFrame
    ) throws(ValetError) {
        self = try Cell(reading: &payload, limit: limit)
        guard !isCut else { throw PayloadReader.malformed("a cut cell in a command") }
        if case .malformedText(let bytes, _) = self,
            String(validating: bytes, as: UTF8.self) != nil
        {
            throw PayloadReader.malformed("UTF-8 that says it is not")
        }
    }
}
