import ValetClient
import ValetModel

/// What is shown beside a frozen list, and what becomes of it when the server keeps its rows no
/// longer.
extension App {
    /// The rows that are shown whole are all read again, as they are now.
    mutating func thaw(because error: ValetError) -> [AppAction] {
        guard list?.frozen != nil else { return [] }
        return run(list?.thaw(because: error) ?? []) + read(readRows)
    }

    /// What was to be copied, or shown whole, is not: its value may be another now.
    mutating func thaw(because error: ValetError, withoutCopy isCopy: Bool) -> [AppAction] {
        calls.forget(.wholeRow)
        calls.forget(.wholeRows)
        let actions = thaw(because: error)
        if isCopy { message = message.map { "Not copied. \($0)" } }
        return actions
    }

    /// Whether rows that the server kept for a frozen list are kept no longer.
    func isNotKept(_ error: ValetError) -> Bool {
        list?.frozen != nil && error.code == .expired
    }

    /// A row as it is now, for the form that changes it.
    mutating func newestDetail(for form: FormScreen) -> [AppAction] {
        guard let rowID = form.rowID else { return [] }
        let isNewest = list?.frozen != nil
        return [
            calls.begin(.detail(list: form.list.name, rowID: rowID, isNewest: isNewest))
        ]
    }

    /// Whether a row was read for the form alone, while the list shows what it was before.
    func isForFormAlone(_ read: RowDetail) -> Bool {
        guard let frozen = list?.frozen?.revision, read.revision > frozen else { return false }
        return edited?.rowID == read.id
    }
}
