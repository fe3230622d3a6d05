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
        case .insert(let rows): payload.writeCase(0) { $0.writeList(rows) { $0.writeList($1) } }
        case .update(let edits):
            payload.writeByte(1)
            payload.writeList(edits) { payload, edit in
                payload.writeSigned(edit.rowID)
                payload.writeList(edit.cells)
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
            payload.writeList(cells)
        case .deleteMatching(let query): payload.writeCase(5) { query.write(into: &$0) }
        case .undo: payload.writeByte(6)
        case .redo: payload.writeByte(7)
        case .skipUndo(let step): payload.writeCase(8) { $0.writeVarint(step) }
        case .forceUndo(let step, let seen):
            payload.writeCase(9) {
                $0.writeVarint(step)
                $0.writeOptional(seen) { $0.writeVarint($1) }
            }
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0:
            self = .insert(
                try payload.rows { payload throws(ValetError) in
                    try payload.cells(\ColumnValue.column)
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
            let cells = try payload.cells(\ColumnValue.column)
            guard !cells.isEmpty else { throw PayloadReader.malformed("an update of no cell") }
            self = .updateMatching(query, cells)
        case 5: self = .deleteMatching(try Query(reading: &payload))
        case 6: self = .undo
        case 7: self = .redo
        case 8: self = .skipUndo(step: try payload.varint())
        case 9:
            self = .forceUndo(
                step: try payload.varint(),
                seen: try payload.optional { payload throws(ValetError) in try payload.varint() })
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

    fileprivate mutating func cells<Value: Field>(
        _ column: (Value) -> Int
    ) throws(ValetError) -> [Value] {
        var last = -1
        return try list(of: "cells", limit: Limits.columnsPerList) { payload throws(ValetError) in
            let value = try Value(reading: &payload)
            guard column(value) > last else {
                throw Self.malformed("columns that are not in ascending order")
            }
            last = column(value)
            return value
        }
    }
}

extension ColumnValue: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeCount(column)
        value.write(into: &payload)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(column: try payload.count(), value: try Cell(readingWhole: &payload))
    }
}

extension RowEdit {
    fileprivate init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(rowID: try payload.signed(), cells: try payload.cells(\.column))
        guard !cells.isEmpty else { throw PayloadReader.malformed("an update of no cell") }
    }
}

extension CellEdit: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeCount(column)
        value.write(into: &payload)
        seen.write(into: &payload)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            column: try payload.count(), value: try Cell(readingWhole: &payload),
            seen: try SeenValue(reading: &payload))
    }
}

extension SeenValue {
    fileprivate func write(into payload: inout ByteBuffer) {
        switch self {
        case .anything: payload.writeByte(0)
        case .cell(let cell): payload.writeCase(1) { cell.write(into: &$0) }
        case .long(let digest):
            payload.writeByte(2)
            payload.writeCount(digest.byteCount)
            payload.writeFixed64(digest.hash)
        }
    }

    fileprivate init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .anything
        case 1: self = .cell(try Cell(readingWhole: &payload, limit: Limits.bytesPerSeenValue))
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

/// ```
/// u8 0  first
/// u8 1  last
/// u8 2  behind   signed row id, optional varint revision, optional text grouping
/// u8 3  before   the same
/// ```
extension MoveDestination {
    func write(into payload: inout ByteBuffer) {
        switch self {
        case .first: payload.writeByte(0)
        case .last: payload.writeByte(1)
        case .behind(let neighbour): payload.writeCase(2) { neighbour.write(into: &$0) }
        case .before(let neighbour): payload.writeCase(3) { neighbour.write(into: &$0) }
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .first
        case 1: self = .last
        case 2: self = .behind(try Neighbour(reading: &payload))
        case 3: self = .before(try Neighbour(reading: &payload))
        case let other: throw PayloadReader.malformed("\(other) is no destination of a move")
        }
    }
}

extension MoveDestination.Neighbour {
    fileprivate func write(into payload: inout ByteBuffer) {
        payload.writeSigned(rowID)
        payload.writeOptional(seen) { $0.writeVarint($1) }
        payload.writeOptionalText(joining)
    }

    fileprivate init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            rowID: try payload.signed(),
            seen: try payload.optional { payload throws(ValetError) in try payload.varint() },
            joining: try payload.optionalName("grouping name"))
    }
}
