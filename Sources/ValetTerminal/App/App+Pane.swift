import ValetClient
import ValetModel

/// The side pane: the detail of the cursor's row beside the list, where there is room for both.
extension App {
    static let fewestColumnsForPane = 120
    /// From so many on a list of cells has room to spare, and the pane comes by itself.
    private static let manyColumns = 160
    private static let widestPane = 64
    /// The row is read once the cursor has stood for so long; no frame stands longer.
    package static let restMilliseconds = 150

    struct SidePane: Sendable {
        /// nil until the person has said so: then it is where there is room to spare.
        var isOpen: Bool?
        /// The row that it shows.
        var shown: Shown?
    }

    struct Shown: Sendable {
        var detail: DetailScreen
        /// On the clock in milliseconds.
        fileprivate var since: Int
        fileprivate var isRead = false
    }

    var isPaneShown: Bool { isPaneShown(beside: list?.list) }

    private func isPaneShown(beside list: ListDescription?) -> Bool {
        let isWanted =
            pane.isOpen
            ?? (size.columns >= App.manyColumns && list.map { $0.cell.style != .columns } == true)
        return isWanted && size.columns >= App.fewestColumnsForPane
    }

    private var paneColumns: Int { min(size.columns * 2 / 5, App.widestPane) }

    /// What the list may use.
    var listSize: Size { size(for: list?.list) }

    /// A blank and a line stand between a list and the pane.
    func size(for list: ListDescription?) -> Size {
        isPaneShown(beside: list)
            ? Size(columns: size.columns - paneColumns - 2, rows: size.rows) : size
    }

    mutating func togglePane() -> [AppAction] {
        guard isPaneShown || size.columns >= App.fewestColumnsForPane else {
            return say("The side pane needs \(App.fewestColumnsForPane) columns")
        }
        pane.isOpen = !isPaneShown
        pane.shown = nil
        let size = listSize
        return run(list?.resize(to: size) ?? [])
    }

    /// What the page carried is shown at once, the rest where the cursor stops.
    mutating func followCursor() -> [AppAction] {
        if list?.total == 0 {
            pane.shown = nil
            return []
        }
        guard isPaneShown, isListSeen, let list,
            let row = list.held.row(at: list.cursor.ordinal)?.row
        else { return [] }
        if pane.shown?.detail.row.id != row.id || pane.shown?.detail.list.name != list.list.name {
            pane.shown = Shown(
                detail: DetailScreen(list.readRow(row), glyphs: glyphs), since: milliseconds)
        }
        guard let shown = pane.shown, connection.isConnected else { return [] }
        if shown.isRead {
            let isOlder = list.held.window.map {
                pane.shown?.detail.row.reads(for: $0.revision) ?? false
            }
            return isOlder == true ? read([shown.detail.row]) : []
        }
        guard milliseconds - shown.since >= App.restMilliseconds else { return [] }
        pane.shown?.isRead = true
        return read([shown.detail.row])
    }

    /// True while the pane waits for the cursor to rest.
    var isPaneWaiting: Bool { isPaneShown && pane.shown?.isRead == false && connection.isConnected }

    func drawPane(on screen: inout Screen) {
        let left = size.columns - paneColumns
        for row in 0..<size.rows {
            screen.write(glyphs.side, row: row, column: left - 1, style: .dim)
        }
        guard var shown = pane.shown?.detail else { return }
        shown.row.linked = linked
        var beside = Screen(
            size: Size(columns: paneColumns, rows: size.rows), isASCII: options.isASCII)
        shown.drawBeside(on: &beside)
        screen.draw(beside, row: 0, column: left)
    }
}
