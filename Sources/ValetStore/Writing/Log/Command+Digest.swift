import ValetModel

extension Command {
    /// Distinguishes this command from others that a writer might send under the same number. It is
    /// stored with the outcome.
    var digest: Int64 {
        var bytes = LogBytes()
        bytes.write(group)
        bytes.write(list)
        change.write(to: &bytes)
        return Int64(bitPattern: ValueDigest(of: bytes.bytes).hash)
    }
}

extension Change {
    fileprivate func write(to bytes: inout LogBytes) {
        switch self {
        case .insert(let rows):
            bytes.write(byte: 0)
            for row in rows { bytes.write(list: row) { $1.write(to: &$0) } }
        case .update(let edits):
            bytes.write(byte: 1)
            for edit in edits {
                bytes.write(signed: edit.rowID)
                bytes.write(list: edit.cells) { bytes, cell in
                    cell.columnValue.write(to: &bytes)
                    cell.seen.write(to: &bytes)
                }
            }
        case .delete(let deletions):
            bytes.write(byte: 2)
            for deletion in deletions {
                bytes.write(signed: deletion.rowID)
                // No list has that many revisions.
                bytes.write(deletion.seen ?? .max)
            }
        case .move(let rowIDs, let destination):
            bytes.write(byte: 3)
            destination.write(to: &bytes)
            for rowID in rowIDs { bytes.write(signed: rowID) }
        case .updateMatching(let query, let values):
            bytes.write(byte: 4)
            query.write(to: &bytes)
            bytes.write(list: values) { $1.write(to: &$0) }
        case .deleteMatching(let query):
            bytes.write(byte: 5)
            query.write(to: &bytes)
        case .undo: bytes.write(byte: 6)
        case .redo: bytes.write(byte: 7)
        case .skipUndo(let step):
            bytes.write(byte: 8)
            bytes.write(step)
        case .forceUndo(let step, let seen):
            bytes.write(byte: 9)
            bytes.write(step)
            if let seen { bytes.write(seen) }
        }
    }
}

extension MoveDestination {
    fileprivate func write(to bytes: inout LogBytes) {
        switch self {
        case .first: bytes.write(byte: 0)
        case .last: bytes.write(byte: 1)
        case .behind: bytes.write(byte: 2)
        case .before: bytes.write(byte: 3)
        }
        guard let neighbour else { return }
        bytes.write(signed: neighbour.rowID)
        bytes.write(neighbour.seen ?? .max)
        bytes.write(optional: neighbour.joining)
    }
}

extension SeenValue {
    fileprivate func write(to bytes: inout LogBytes) {
        switch self {
        case .anything: bytes.write(byte: 0)
        case .cell(let cell):
            bytes.write(byte: 1)
            bytes.write(cell)
        case .long(let digest):
            bytes.write(byte: 2)
            bytes.write(count: digest.byteCount)
            bytes.write(digest.hash)
        }
    }
}

extension Query {
    fileprivate func write(to bytes: inout LogBytes) {
        bytes.write(optional: grouping)
        bytes.write(list: sort) { bytes, key in
            bytes.write(key.column)
            bytes.write(byte: key.isDescending ? 1 : 0)
        }
        bytes.write(optional: search?.text)
        bytes.write(optional: search?.scope)
        bytes.write(list: conditions) { bytes, condition in
            bytes.write(condition.column)
            bytes.write(byte: condition.comparison.rawValue)
            bytes.write(list: condition.values) { $0.write($1) }
        }
    }
}

extension LogBytes {
    fileprivate mutating func write(optional text: String?) {
        write(byte: text == nil ? 0 : 1)
        if let text { write(text) }
    }
}
