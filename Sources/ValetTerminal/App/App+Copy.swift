import ValetClient
import ValetModel

/// Copies carry what is stored, whole: the rest of a cut value is fetched first.
extension App {
    /// Terminals take a copy in one piece.
    static let mostBytesToCopy = 4 << 20
    /// The detail lays out all of it for each frame.
    private static let mostBytesToShow = 256 << 10

    /// - Parameter cell: as far as it is here; nil for a column that the row doesn't have.
    mutating func copy(
        _ template: RowTemplate, of rowID: Int64, named name: String, _ cell: (Int) -> Cell?
    ) -> [AppAction] {
        let cells = template.columns.compactMap(cell)
        let byteCount = cells.reduce(0) { $0 + $1.storedByteCount }
        guard byteCount <= App.mostBytesToCopy else {
            return say("\(name) has \(byteCount.grouped) bytes, too many to copy")
        }
        guard cells.contains(where: \.isCut) else { return copied(template, name, cell) }
        return fetch(rowID, template.columns, for: .copy(template, name: name))
    }

    /// Shows all of the detail's field.
    mutating func showWhole() -> [AppAction] {
        guard let detail, let cell = detail.selectedCell else { return [] }
        guard cell.isCut else {
            return say("This is all of it: y copies it\(detail.list.isEditable ? ", e edits" : "")")
        }
        guard cell.storedByteCount <= App.mostBytesToShow else {
            return say("The field has \(cell.storedByteCount.grouped) bytes; y copies it")
        }
        let column = detail.selected
        return fetch(detail.row.id, [column], for: .show(column: column))
    }

    private mutating func fetch(
        _ rowID: Int64, _ columns: [Int], for purpose: WholeRowPurpose
    ) -> [AppAction] {
        guard connection.isConnected, let list else {
            return say("Offline: the rest of the value can't be fetched")
        }
        message = "Fetching the rest of the value"
        return [calls.begin(.wholeRow(list: list.list, rowID: rowID, columns: columns, purpose))]
    }

    private mutating func copied(
        _ template: RowTemplate, _ name: String, _ cell: (Int) -> Cell?
    ) -> [AppAction] {
        let text = template.segments.map { segment in
            switch segment {
            case .literal(let text): text
            case .column(let column): cell(column)?.storedText ?? ""
            }
        }.joined()
        let byteCount = text.utf8.count
        message = "Copied \(name), \(byteCount == 1 ? "1 byte" : "\(byteCount.grouped) bytes")"
        return [.terminal(.copy(text))]
    }

    mutating func take(
        wholeRow cells: [Cell], list name: String, rowID: Int64, for purpose: WholeRowPurpose
    ) -> [AppAction] {
        switch purpose {
        case .copy(let template, let name):
            return copied(template, name) { column in
                column == RowLayout.rowIDColumn ? .integer(rowID) : cells[checked: column]
            }
        case .show(let column):
            message = nil
            if let cell = cells[checked: column], detail?.row.isRow(rowID, of: name) == true {
                detail?.row.show(whole: cell, column: column)
            }
            return []
        }
    }
}

extension Cell {
    /// What is stored, as text: nothing for NULL, digits of base 16 for bytes.
    var storedText: String {
        switch self {
        case .null: ""
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let text), .cutText(let text, _): text
        case .malformedText(let bytes, _): String(decoding: bytes, as: UTF8.self)
        case .blob(let bytes, _):
            bytes.reduce(into: "") { text, byte in
                text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
    }
}
