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
            bytes.write(list: conflicts) { $1.write(to: &$0) }
        case .appliedButFor(let rowIDs, let rest):
            bytes.write(byte: 3)
            bytes.write(rowIDs: rowIDs)
            bytes.write(list: rest) { $1.write(to: &$0) }
        case .refused(let refusals):
            bytes.write(byte: step == nil ? 2 : 5)
            if let step { bytes.write(step) }
            bytes.write(list: refusals) { bytes, refusal in
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
        let verdict: Verdict? =
            switch kind {
            case 0: bytes.rowIDs().map { .applied(rowIDs: $0) }
            case 1, 4: bytes.list { Conflict(from: &$0) }.map { .conflict($0) }
            case 2, 5: bytes.list { Refusal(from: &$0) }.map { .refused($0) }
            case 3:
                bytes.rowIDs().flatMap { rowIDs in
                    bytes.list { Conflict(from: &$0) }.map { .appliedButFor(rowIDs: rowIDs, $0) }
                }
            case _: nil
            }
        guard let verdict else { return nil }
        self = verdict
    }
}

extension Refusal {
    fileprivate init?(from bytes: inout LogByteReader) {
        guard let row = bytes.size(), let column = bytes.size(), let message = bytes.text()
        else { return nil }
        self.init(row: row, column: column == 0 ? nil : column - 1, message: message)
    }
}

extension LogBytes {
    fileprivate mutating func write(rowIDs: [Int64]) {
        var last: Int64 = 0
        // New rows have neighbouring ids: their differences take a byte each.
        write(list: rowIDs) { bytes, rowID in
            bytes.write(signed: rowID &- last)
            last = rowID
        }
    }
}

extension LogByteReader {
    fileprivate mutating func rowIDs() -> [Int64]? {
        var last: Int64 = 0
        return list { bytes in
            guard let difference = bytes.signed() else { return nil }
            last &+= difference
            return last
        }
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
        let kind = bytes.byte()
        let theirs: Theirs? =
            switch kind {
            case 0, Self.kindWithRestored: ColumnValue(from: &bytes).map(Theirs.cell)
            case 1: .rowChanged
            case 2: .rowDeleted
            case 3: ColumnValue(from: &bytes).map(Theirs.alreadySo)
            case _: nil
            }
        let restored = kind == Self.kindWithRestored ? bytes.cell() : nil
        guard let theirs, kind != Self.kindWithRestored || restored != nil else { return nil }
        self.init(rowID: rowID, theirs: theirs, station: station, time: time, restored: restored)
    }
}

extension ColumnValue {
    func write(to bytes: inout LogBytes) {
        bytes.write(count: column)
        bytes.write(value)
    }

    fileprivate init?(from bytes: inout LogByteReader) {
        guard let column = bytes.size(), let value = bytes.cell() else { return nil }
        self.init(column: column, value: value)
    }
}
