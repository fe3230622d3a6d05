import ValetClient
import ValetModel

/// Lists that are loaded from elsewhere: `r` loads them again, and Esc or ^C cancels that.
extension App {
    /// Refreshes under way, and those that were begun without being asked for.
    struct Refreshes: Sendable {
        fileprivate var running: [String: RefreshProgress?] = [:]
        fileprivate var begunByItself: Set<String> = []
    }

    /// What the status line says while the list that is shown is loaded.
    var refreshWords: String? {
        guard let name = list?.list.name, let progress = refreshes.running[name] else { return nil }
        return (progress?.words ?? "loading") + "   Esc cancels"
    }

    mutating func refresh(_ list: ListDescription) -> [AppAction] {
        guard refreshes.running[list.name] == nil else { return [] }
        refreshes.running[list.name] = .some(nil)
        return [calls.begin(.refresh(list: list.name))]
    }

    /// An empty list is loaded when it is first opened, unless something forbids it.
    mutating func refreshIfEmpty(_ summary: ViewSummary) -> [AppAction] {
        guard let list = frontList, list.list.isRefreshable, list.list.readOnlyReason == nil,
            summary.totalRows == 0, list.query.search == nil,
            refreshes.begunByItself.insert(list.list.name).inserted
        else { return [] }
        return refresh(list.list)
    }

    /// nil if the list that is shown is not being loaded.
    func cancelRefresh() -> [AppAction]? {
        guard let name = list?.list.name, refreshes.running[name] != nil else { return nil }
        return calls.cancelRefresh(of: name)
    }

    mutating func refreshProgressed(_ name: String, _ progress: RefreshProgress) {
        if refreshes.running[name] != nil { refreshes.running[name] = progress }
    }

    /// What has come is asked for at once: the windows that stand show it at their own pace.
    mutating func refreshEnded(
        _ name: String, _ result: Result<RefreshEnding, ValetError>
    ) -> [AppAction] {
        refreshes.running[name] = nil
        let title = catalog?.catalog.lists.first { $0.name == name }?.title ?? name
        switch result {
        case .success(.done(let added, let changed, let removed)):
            let parts = [(added, "added"), (changed, "changed"), (removed, "removed")]
            let words = parts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
            message = "\(title): " + (words.isEmpty ? "no changes" : words.joined(separator: ", "))
        case .success(.failed(let reason)): message = "\(title) can't be loaded: \(reason)"
        case .success(.cancelled): message = "\(title): loading cancelled"
        case .failure(let error): message = "\(title) can't be loaded: \(error.description)"
        }
        guard case .success(.done(let added, let changed, let removed)) = result,
            added + changed + removed > 0, frontList?.list.name == name, frontList?.frozen == nil
        else { return [] }
        return changeFrontList { $0.askAgain() }
    }
}

extension RefreshProgress {
    fileprivate var words: String {
        switch stage {
        case .loading: total.map { "loading \(percent(of: $0))" } ?? "loaded \(bytes)"
        case .comparing: "comparing"
        case .changing: "changing rows" + (total.map { " \(percent(of: $0))" } ?? "")
        }
    }

    private func percent(of total: Int) -> String {
        "\(Int((100 * Double(done) / Double(max(total, 1))).rounded(.down))) %"
    }

    private var bytes: String { done < 1 << 20 ? "\(done >> 10) kB" : "\(done >> 20) MB" }
}
