import ValetClient
import ValetModel

/// What is shown beside a frozen list, and what becomes of it when the server keeps its rows no
/// longer.
extension App {
    /// The rows that are shown whole are all read again, as they are now.
    mutating func thaw(because error: ValetError) -> [AppAction] {
        guard list?.frozen != nil else { return [] }
        var rowIDs = comparison?.rowIDs ?? []
        for case let row? in [detail?.row, pane?.detail.row] where !rowIDs.contains(row.id) {
            rowIDs.append(row.id)
        }
        return run(list?.thaw(because: error) ?? []) + rowIDs.map { .requestDetail(rowID: $0) }
    }

    /// What was to be copied, or shown whole, is not: its value may be another now.
    mutating func thawWithoutCopy(because error: ValetError) -> [AppAction] {
        var isCopy = rowsFetch != nil
        if case .copy? = fetch?.purpose { isCopy = true }
        (fetch, rowsFetch) = (nil, nil)
        let actions = thaw(because: error)
        if isCopy { message = message.map { "Not copied. \($0)" } }
        return actions
    }

    /// Whether rows that the server kept for a frozen list are kept no longer.
    func isNotKept(_ error: ValetError) -> Bool {
        list?.frozen != nil && error.code == .expired
    }

    /// A row as it is now, for the form that changes it.
    func newestDetail(ofRow rowID: Int64) -> AppAction {
        list?.frozen == nil ? .requestDetail(rowID: rowID) : .requestNewestDetail(rowID: rowID)
    }

    /// Whether a row was read for the form alone, while the list shows what it was before.
    func isForFormAlone(_ read: RowDetail) -> Bool {
        guard let frozen = list?.frozen?.revision, read.revision > frozen else { return false }
        return (form ?? conflict?.form)?.rowID == read.id
    }
}
