import ValetModel

/// How a verdict is stored with its command, and the step that it is about, if it is of an undo
/// that was not carried out.
extension Verdict {
    func stored(step: UInt64?) -> [UInt8] {
        var bytes = LogBytes()
        switch self {
        case .applied(let rowIDs):
            bytes.write(byte: 0)
            bytes.write(rowIDs: rowIDs)
        case .conflict(let conflicts):
            bytes.write(byte: step == nil ? 1 : 4)
            if let step { bytes.write(step) }
            bytes.write(conflicts)
        case .appliedButFor(let rowIDs, let rest):
            bytes.write(byte: 3)
            bytes.write(rowIDs: rowIDs)
            bytes.write(rest)
        case .refused(let refusals):
            bytes.write(byte: step == nil ? 2 : 5)
            if let step { bytes.write(step) }
            bytes.write(count: refusals.count)
            for refusal in refusals {
                bytes.write(count: refusal.row)
                bytes.write(count: (refusal.column ?? -1) + 1)
                bytes.write(refusal.message)
            }
        }
        return bytes.bytes
    }

    /// nil if the bytes are damaged.
    init?(stored: [UInt8], step: inout UInt64?) {
        var bytes = LogByteReader(stored)
        guard let kind = bytes.byte() else { return nil }
        if kind == 4 || kind == 5 {
            step = bytes.number()
            if step == nil { return nil }
        }
        guard let count = bytes.count() else { return nil }
        switch kind {
        case 0:
            guard let rowIDs = bytes.rowIDs(count) else { return nil }
            self = .applied(rowIDs: rowIDs)
        case 1, 4:
            guard let conflicts = bytes.conflicts(count) else { return nil }
            self = .conflict(conflicts)
        case 3:
            guard let rowIDs = bytes.rowIDs(count), let restCount = bytes.count(),
                let rest = bytes.conflicts(restCount)
            else { return nil }
            self = .appliedButFor(rowIDs: rowIDs, rest)
        case 2, 5:
            var refusals: [Refusal] = []
            for _ in 0..<count {
                guard let row = bytes.size(), let column = bytes.size(), let message = bytes.text()
                else { return nil }
                refusals.append(
                    Refusal(row: row, column: column == 0 ? nil : column - 1, message: message))
            }
            self = .refused(refusals)
        case _: return nil
        }
    }
}

extension LogBytes {
    fileprivate mutating func write(rowIDs: [Int64]) {
        write(count: rowIDs.count)
        var last: Int64 = 0
        // New rows have neighbouring ids: their differences take a byte each.
        for rowID in rowIDs {
            write(signed: rowID &- last)
            last = rowID
        }
    }

    fileprivate mutating func write(_ conflicts: [Conflict]) {
        write(count: conflicts.count)
        for conflict in conflicts { conflict.write(to: &self) }
    }
}

extension LogByteReader {
    fileprivate mutating func rowIDs(_ count: Int) -> [Int64]? {
        var rowIDs: [Int64] = []
        var last: Int64 = 0
        for _ in 0..<count {
            guard let difference = signed() else { return nil }
            last &+= difference
            rowIDs.append(last)
        }
        return rowIDs
    }

    fileprivate mutating func conflicts(_ count: Int) -> [Conflict]? {
        var conflicts: [Conflict] = []
        for _ in 0..<count {
            guard let conflict = Conflict(from: &self) else { return nil }
            conflicts.append(conflict)
        }
        return conflicts
    }
}

extension Conflict {
    /// A cell, and what undo would put there.
    private static let kindWithRestored: UInt8 = 8

    fileprivate func write(to bytes: inout LogBytes) {
        bytes.write(signed: rowID)
        bytes.write(station)
        bytes.write(signed: time)
        switch theirs {
        case .cell(let cell):
            bytes.write(byte: restored == nil ? 0 : Self.kindWithRestored)
            cell.write(to: &bytes)
            if let restored { bytes.write(restored) }
        case .rowChanged: bytes.write(byte: 1)
        case .rowDeleted: bytes.write(byte: 2)
        case .alreadySo(let cell):
            bytes.write(byte: 3)
            cell.write(to: &bytes)
        }
    }

    fileprivate init?(from bytes: inout LogByteReader) {
        guard let rowID = bytes.signed(), let station = bytes.text(), let time = bytes.signed()
        else { return nil }
        let theirs: Theirs
        var restored: Cell?
        switch bytes.byte() {
        case 0:
            guard let cell = ColumnValue(from: &bytes) else { return nil }
            theirs = .cell(cell)
        case Self.kindWithRestored:
            guard let cell = ColumnValue(from: &bytes), let before = bytes.cell() else {
                return nil
            }
            theirs = .cell(cell)
            restored = before
        case 1: theirs = .rowChanged
        case 2: theirs = .rowDeleted
        case 3:
            guard let cell = ColumnValue(from: &bytes) else { return nil }
            theirs = .alreadySo(cell)
        case _: return nil
        }
        self.init(
            rowID: rowID, theirs: theirs, station: station, time: time, restored: restored)
    }
}

extension ColumnValue {
    fileprivate func write(to bytes: inout LogBytes) {
        bytes.write(count: column)
        bytes.write(value)
    }

    fileprivate init?(from bytes: inout LogByteReader) {
        guard let column = bytes.size(), let value = bytes.cell() else { return nil }
        self.init(column: column, value: value)
    }
}
