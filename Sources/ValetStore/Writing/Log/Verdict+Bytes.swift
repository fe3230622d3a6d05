import ValetModel

/// How a verdict is stored with its command.
extension Verdict {
    var stored: [UInt8] {
        var bytes = LogBytes()
        switch self {
        case .applied(let rowIDs):
            bytes.write(byte: 0)
            bytes.write(count: rowIDs.count)
            var last: Int64 = 0
            // New rows have neighbouring ids: their differences take a byte each.
            for rowID in rowIDs {
                bytes.write(signed: rowID &- last)
                last = rowID
            }
        case .conflict(let conflicts):
            bytes.write(byte: 1)
            bytes.write(count: conflicts.count)
            for conflict in conflicts { conflict.write(to: &bytes) }
        case .refused(let refusals):
            bytes.write(byte: 2)
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
    init?(stored: [UInt8]) {
        var bytes = LogByteReader(stored)
        guard let kind = bytes.byte(), let count = bytes.count() else { return nil }
        switch kind {
        case 0:
            var rowIDs: [Int64] = []
            var last: Int64 = 0
            for _ in 0..<count {
                guard let difference = bytes.signed() else { return nil }
                last &+= difference
                rowIDs.append(last)
            }
            self = .applied(rowIDs: rowIDs)
        case 1:
            var conflicts: [Conflict] = []
            for _ in 0..<count {
                guard let conflict = Conflict(from: &bytes) else { return nil }
                conflicts.append(conflict)
            }
            self = .conflict(conflicts)
        case 2:
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

extension Conflict {
    fileprivate func write(to bytes: inout LogBytes) {
        bytes.write(signed: rowID)
        bytes.write(station)
        bytes.write(signed: time)
        switch theirs {
        case .cell(let cell):
            bytes.write(byte: 0)
            bytes.write(count: cell.column)
            bytes.write(cell.value)
        case .rowChanged: bytes.write(byte: 1)
        case .rowDeleted: bytes.write(byte: 2)
        }
    }

    fileprivate init?(from bytes: inout LogByteReader) {
        guard let rowID = bytes.signed(), let station = bytes.text(), let time = bytes.signed()
        else { return nil }
        let theirs: Theirs
        switch bytes.byte() {
        case 0:
            guard let column = bytes.size(), let value = bytes.cell() else { return nil }
            theirs = .cell(ColumnValue(column: column, value: value))
        case 1: theirs = .rowChanged
        case 2: theirs = .rowDeleted
        case _: return nil
        }
        self.init(rowID: rowID, theirs: theirs, station: station, time: time)
    }
}
