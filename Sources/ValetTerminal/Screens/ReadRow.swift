import ValetClient
import ValetModel

/// A row that is read whole: first what its page carried, then the answer, again whenever the list
/// shows a newer revision.
struct ReadRow: Sendable {
    let list: ListDescription
    /// What names the row.
    private(set) var title: String
    private let row: Row
    private let positions: [Int: Int]
    private var detail: RowDetail?
    private var failure: ValetError?
    private var rereading = Rereading()
    /// The connection has broken since: the server's revisions may be others.
    private(set) var isOfBefore = false
    /// When others changed a column, on the clock in milliseconds.
    private(set) var changed: [Int: Int] = [:]
    /// Fields that the detail cuts, fetched whole.
    private var whole: [Int: Cell] = [:]
    /// The person's own change of the row.
    var pending: PendingRow?
    /// Titles of other lists' rows.
    var linked = LinkedRows()

    init(list: ListDescription, row: Row, positions: [Int: Int], title: String) {
        self.list = list
        self.row = row
        self.positions = positions
        self.title = title
    }

    var id: Int64 { row.id }

    func isRow(_ rowID: Int64, of name: String) -> Bool { id == rowID && list.name == name }

    // MARK: Answers

    /// - Parameter own: what the person has made of the row's cells.
    mutating func take(_ detail: RowDetail, title: String, own: [Int: Cell], at milliseconds: Int) {
        guard detail.id == id else { return }
        rereading.ended()
        if let before = self.detail, detail.revision < before.revision, !isOfBefore { return }
        isOfBefore = false
        self.title = title
        if let before = self.detail {
            for (column, cells) in zip(before.cells, detail.cells).enumerated()
            where cells.0 != cells.1 && own[column] != cells.1 {
                changed[column] = milliseconds
                whole[column] = nil
            }
        }
        self.detail = detail
        failure = nil
    }

    mutating func failed(rowID failed: Int64, _ error: ValetError) {
        guard failed == id else { return }
        failure = error
        rereading.ended()
        isOfBefore = false
    }

    mutating func disconnected() { (rereading, isOfBefore) = (Rereading(), true) }

    /// Whether to read the row again, since the list shows this revision.
    mutating func reads(for revision: UInt64) -> Bool {
        guard let detail, failure?.code != .catalogChanged else { return false }
        return rereading.begins(for: revision, above: detail.revision)
    }

    /// The person's own cells, which are stored by now.
    mutating func keep(_ cells: [CellEdit]) {
        for cell in cells where detail?.cells.indices.contains(cell.column) == true {
            detail?.cells[cell.column] = cell.value
        }
    }

    /// All of a field that was cut.
    mutating func show(whole cell: Cell, column: Int) { whole[column] = cell }

    // MARK: What others change

    private static let recentMilliseconds = 5_000

    /// True while a change is shown as recent, until the clock ends that.
    var hasRecentChanges: Bool { !changed.isEmpty }

    mutating func forgetChanges(at milliseconds: Int) {
        changed = changed.filter { milliseconds - $0.value < ReadRow.recentMilliseconds }
    }

    // MARK: What is known

    /// The whole row is here, or can't be had.
    var isAnswered: Bool { detail != nil || failure != nil }

    /// It can't be had: there is nothing but what its page carried.
    var hasFailed: Bool { detail == nil && failure != nil }

    /// It is not there any more, or nobody knows which row it is.
    var isGone: Bool { failure?.code == .unknownRow || failure?.code == .catalogChanged }

    var isStale: Bool { detail == nil || isGone }

    /// The catalog lets nobody change it.
    var isReadOnly: Bool { list.rowRules.readOnlyColumn.flatMap(cell)?.isSet == true }

    /// The newest revision at which the row was read; nil if it wasn't yet.
    var revision: UInt64? { detail?.revision }

    func trouble(_ glyphs: Glyphs) -> String? {
        guard let failure else { return nil }
        if detail == nil { return "This row can't be shown: \(glyphs.plain(failure.description))" }
        switch failure.code {
        case .unknownRow: return "This row was deleted"
        case .catalogChanged: return "This row is out of date: choose it again"
        default: return nil
        }
    }

    /// As far as it is here.
    func cell(_ column: Int) -> Cell? {
        if let own = pending?.cells[column] { return own }
        if let detail {
            let cell = detail.cells[checked: column] ?? .null
            return cell.isCut ? whole[column] ?? cell : cell
        }
        return row.cell(column, positions)
    }

    /// Those whose ids are shown.
    var linkedRows: Set<LinkedRow> {
        Set(
            list.shownColumns.filter { !hasTitle($0) }
                .compactMap { cell($0).flatMap(list.columns[$0].linkedRow) })
    }

    /// Whether the title of the row that a column names stands in another field.
    private func hasTitle(_ column: Int) -> Bool {
        list.titles(ofKeys: column).map(list.shownColumns.contains) ?? false
    }

    /// A field as people read it; nil until it is here.
    /// - Parameter cutNote: stands behind the number of bytes that are missing.
    func text(_ column: Int, cutNote: String = "", _ glyphs: Glyphs) -> CellText? {
        let description = list.columns[column]
        guard let cell = cell(column) else { return nil }
        var content =
            description.format.text(of: cell, in: description.zone).map { CellText(text: $0) }
            ?? CellText.alone(cell, in: description, glyphs: glyphs)
        if !hasTitle(column), let title = linked.text(of: cell, in: description, glyphs) {
            content.text = title
        }
        if case .cutText(let text, let byteCount) = cell {
            let missing = max(byteCount - text.utf8.count, 0).grouped
            content.text += " \(missing) more bytes\(cutNote)"
        }
        if cell.isMissing, !description.defaultText.isEmpty {
            content.text += "  means \(description.defaultText)"
        }
        if let unit = description.unit, !content.isMissing { content.text += " \(unit)" }
        return content
    }
}
