import ValetModel
import ValetProtocol

extension DecodedPage {
    /// The frames of a page with these rows.
    package func passages(as name: PageName) -> [FramePassage] {
        var builder = PageBuilder(rowIDs: rowIDs, columnCount: columns.count)
        for (column, cells) in columns.enumerated() {
            for (row, cell) in cells.enumerated() {
                builder.set(cell, row: row, column: column)
            }
        }
        return builder.encode(name: name).compactMap { bytes in
            var bytes = bytes
            let frame = try? Frame(takingFrom: &bytes, payloadLimit: Limits.bytesPerServerFrame)
            return frame.map { .toClient($0) }
        }
    }
}

extension PageBuilder {
    fileprivate mutating func set(_ cell: Cell, row: Int, column: Int) {
        switch cell {
        case .null: set(row: row, column: column, to: .null)
        case .integer(let number): set(row: row, column: column, to: .integer(number))
        case .real(let number): set(row: row, column: column, to: .real(number))
        case .text(let text), .cutText(let text, _):
            Array(text.utf8).withUnsafeBytes { set(row: row, column: column, to: .text($0)) }
        case .malformedText(let bytes, _):
            bytes.withUnsafeBytes { set(row: row, column: column, to: .text($0)) }
        case .blob(_, let byteCount):
            set(row: row, column: column, to: .blob(byteCount: byteCount))
        }
    }
}
