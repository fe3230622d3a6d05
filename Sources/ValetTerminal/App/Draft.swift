import ValetModel

/// A change that was not saved when the program was ended: kept until the next start offers it.
///
/// It names columns, whose numbers may be others by then. In an epoch that does not go on with that
/// of the draft, so also in another file, the row is known by what was seen in it.
package struct Draft: Hashable, Sendable, Codable {
    package enum Typed: Hashable, Sendable, Codable {
        case text(String)
        /// Yes or no; nil for none.
        case check(Bool?)
        /// ^U was pressed.
        case cleared
    }

    /// A value that was seen; nothing for one that is cut, or bytes.
    package enum Seen: Hashable, Sendable, Codable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)

        /// - Parameter isTypedOver: what was typed over it can be saved only if it is known. Of
        ///   other long texts, nothing is kept.
        fileprivate init?(_ cell: Cell, isTypedOver: Bool) {
            switch cell {
            case .null: self = .null
            case .integer(let value): self = .integer(value)
            case .real(let value):
                // JSON has no other numbers.
                guard value.isFinite else { return nil }
                self = .real(value)
            case .text(let text):
                guard isTypedOver || text.utf8.count <= 256 else { return nil }
                self = .text(text)
            case .cutText, .malformedText, .blob: return nil
            }
        }

        fileprivate var cell: Cell {
            switch self {
            case .null: .null
            case .integer(let value): .integer(value)
            case .real(let value): .real(value)
            case .text(let text): .text(text)
            }
        }
    }

    /// By its name in the catalog.
    package var list: String
    /// nil for a new row.
    package var rowID: Int64?
    /// In which the row id was read: in the same one it is the same row's.
    package var epoch: UInt64 = 0
    /// What names the row to a person.
    package var title = ""
    /// What was typed, by the names of the columns.
    package var typed: [String: Typed] = [:]
    package var seen: [String: Seen] = [:]
    /// A change that nothing was typed for, such as a deletion, in words.
    package var deed: String?
}

extension FormScreen {
    /// nil if nothing was typed.
    var draft: Draft? {
        let changed = fields.filter(\.isChanged)
        guard !changed.isEmpty else { return nil }
        var draft = Draft(list: list.name, rowID: rowID, epoch: list.epoch, title: title)
        for field in changed { draft.typed[field.description.name] = field.draft }
        for column in list.columns.indices {
            let isTypedOver = changed.contains { $0.column == column }
            draft.seen[list.columns[column].name] = seen(column).flatMap {
                Draft.Seen($0, isTypedOver: isTypedOver)
            }
        }
        return draft
    }

    /// The form as it was left. What was typed into columns that are gone is shown once more.
    init(_ draft: Draft, of list: ListDescription, glyphs: Glyphs) {
        var row: [Int: Cell] = [:]
        for (column, description) in list.columns.enumerated() {
            if let seen = draft.seen[description.name] { row[column] = seen.cell }
        }
        self.init(
            draft.rowID.map { .edit(rowID: $0) } ?? .add, of: list, title: draft.title, row: row,
            glyphs: glyphs)
        for (name, typed) in draft.typed.sorted(by: { $0.key < $1.key }) {
            if let place = fields.firstIndex(where: { $0.description.name == name }) {
                fields[place].take(draft: typed)
            } else if case .text(let text) = typed {
                lost.append(glyphs.plain("\(name) “\(text)”"))
            }
        }
        let isSameRow = list.rowIDs >= .epoch && list.goesOn(since: draft.epoch)
        isRowInDoubt = draft.rowID != nil && !isSameRow
    }
}

extension FormField {
    fileprivate var draft: Draft.Typed {
        switch entry {
        case .text(let field): field.text.isEmpty ? .cleared : .text(field.text)
        case .check(let isOn): .check(isOn)
        case .fixed(let text): .text(text)
        }
    }

    fileprivate mutating func take(draft: Draft.Typed) {
        switch (draft, entry) {
        case (.text(let text), .text): fill(typed: text)
        case (.check(let isOn?), .check): fill(.integer(isOn ? 1 : 0))
        case (.check(nil), .check), (.cleared, .text), (.cleared, .check): edit(.deleteAll)
        case (.text, _), (.check, _), (.cleared, .fixed): break
        }
    }
}
