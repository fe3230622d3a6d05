import ValetModel

/// Presence, the person's own and that of others; and the history of what everybody has changed,
/// newest first, to look through.
extension App {
    package var presence: Presence {
        guard let list else { return Presence(list: "") }
        let name = list.list.name
        if let form { return Presence(list: form.list.name, rowID: form.rowID, activity: .edits) }
        return Presence(list: name, rowID: detail?.row.id ?? list.cursor.rowID)
    }

    /// The others in the list that is shown; the newest news may be of another list.
    mutating func take(_ node: ServingNode?) {
        let before = exchange(&connection.node, with: node)
        guard let node, node != before, case .outOfService(let reason) = node.condition else {
            return
        }
        message = "\(glyphs.shortName(node.name)) takes no changes: \(reason)"
    }

    private var othersHere: [StationPresence] {
        others.filter { $0.presence.list == (form?.list ?? list?.list)?.name }
    }

    /// The names of the stations, without duplicates.
    var namesHere: [String] { othersHere.map(Self.name).withoutDuplicates }

    /// The names of the others that edit a row.
    func editors(of rowID: Int64?) -> [String] {
        guard let rowID else { return [] }
        return othersHere.filter { $0.presence.rowID == rowID && $0.presence.activity == .edits }
            .map(Self.name)
    }

    /// The signs of rows that others are on.
    var visitors: [Int64: RowVisitors] {
        var visitors: [Int64: RowVisitors] = [:]
        for other in othersHere {
            guard let rowID = other.presence.rowID else { continue }
            visitors[rowID, default: RowVisitors()].add(
                Self.name(of: other), other.presence.activity)
        }
        return visitors
    }

    /// Lists the others; choosing one goes to its row.
    mutating func showOthers() {
        guard let list, !othersHere.isEmpty else {
            message = "Nobody else is here"
            return
        }
        palette = Palette(
            title: "Who is here",
            items: othersHere.map { other in
                Palette.Item(
                    keys: Self.name(of: other), title: words(of: other.presence, in: list),
                    choice: .goToRow(other.presence.rowID))
            })
    }

    private static func name(of other: StationPresence) -> String {
        other.station.isEmpty ? "somebody" : other.station
    }

    private func words(of presence: Presence, in list: ListScreen) -> String {
        let edits = presence.activity == .edits
        guard let rowID = presence.rowID else { return edits ? "adds a row" : "looks at the list" }
        let verb = edits ? "edits" : "looks at"
        guard let row = list.held.row(withID: rowID) else { return "\(verb) row \(rowID)" }
        return "\(verb) \(glyphs.quoted(list.name(of: row)))"
    }

    // MARK: What was changed in the list, by whom and when

    /// What the history shows, and the names of its rows as they come.
    struct ShownHistory: Sendable {
        let changes: [LoggedChange]
        let list: String
        /// Of its palette.
        let title: String
        /// Rows that are not in the list's window, and have not been asked for.
        fileprivate var unnamed: [Int64]
        fileprivate var names: [Int64: String] = [:]
        fileprivate static let mostAsked = 200
        fileprivate static let mostAtOnce = 4
    }

    mutating func take(_ history: History, list name: String) -> [AppAction] {
        guard let list, list.list.name == name else { return [] }
        message = nil
        guard !history.changes.isEmpty else { return say("No history for \(list.list.title)") }
        let edited = history.changes.compactMap { change in
            change.effect.flatMap { $0.kind == .updated ? $0.rowID : nil }
        }
        let unnamed = edited.withoutDuplicates.filter { list.held.row(withID: $0) == nil }
        let title =
            "History of \(list.list.title)" + (options.zone == nil ? ", times in UTC" : "")
        self.history = ShownHistory(
            changes: history.changes, list: name, title: title,
            unnamed: Array(unnamed.prefix(ShownHistory.mostAsked)))
        palette = Palette(title: title, items: historyItems, isWide: true)
        return (0..<ShownHistory.mostAtOnce).flatMap { _ in nameNextOfHistory() }
    }

    private var historyItems: [Palette.Item] {
        (history?.changes ?? []).map { change in
            let text = "\(who(change)) \(text(of: change))"
            return Palette.Item(
                keys: when(change), title: text,
                choice: change.effect.map { $0.kind == .deleted ? nil : .goToRow($0.rowID) }
                    .flatMap(\.self) ?? .say(text))
        }
    }

    private var isHistoryShown: Bool { history != nil && palette?.title == history?.title }

    private mutating func nameNextOfHistory() -> [AppAction] {
        guard connection.isConnected, isHistoryShown, let list = history?.list,
            let rowID = history?.unnamed.first
        else { return [] }
        history?.unnamed.removeFirst()
        return [calls.begin(.linked(list: list, rowID: rowID))]
    }

    /// A row that the history names by its id may have a name.
    mutating func nameInHistory(_ cells: [Cell]?, list name: String, rowID: Int64) -> [AppAction] {
        guard isHistoryShown, history?.list == name, let list, list.list.name == name else {
            return []
        }
        if let cells {
            let byColumn = Dictionary(uniqueKeysWithValues: zip(cells.indices, cells))
            let name = self.name(ofRow: rowID, in: list, cells: byColumn)
            history?.names[rowID] = name
            let items = historyItems
            palette?.renew(items)
        }
        return nameNextOfHistory()
    }

    private func when(_ change: LoggedChange) -> String {
        let seconds = change.time / 1_000_000
        guard CivilTime.usualSeconds.contains(seconds) else { return glyphs.none }
        let time = CivilTime(secondsSince1970: seconds, in: options.zone)
        return CivilTime.isoDay(time.days).dropFirst(5) + " " + time.isoMinute
    }

    private func who(_ change: LoggedChange) -> String {
        if change.command == nil { return "another program" }
        return change.station.isEmpty ? "somebody" : change.station
    }

    /// `edited “BMW X5”: Fuel 12.5 → 40.0`
    private func text(of change: LoggedChange) -> String {
        guard let effect = change.effect, let list else { return "changed the file" }
        let named: String
        switch effect.kind {
        case .inserted: return "added \(name(of: effect) { $0.after })"
        case .deleted: return "deleted \(name(of: effect) { $0.before })"
        case .updated:
            let name =
                list.held.row(withID: effect.rowID).map { list.name(of: $0) }
                ?? history?.names[effect.rowID]
            named = "edited \(name.map { glyphs.quoted($0) } ?? "row \(effect.rowID)")"
        }
        let cells = effect.cells.filter { list.list.columns.indices.contains($0.column) }
        guard !cells.isEmpty else { return named }
        let changes = cells.map { cell in
            let column = list.list.columns[cell.column]
            let before = CellText.stored(cell.before, in: column, glyphs: glyphs).text
            let after = CellText.stored(cell.after, in: column, glyphs: glyphs).text
            return "\(column.label) \(before) \(glyphs.becomes) \(after)"
        }
        return "\(named): \(changes.joined(separator: ", "))"
    }

    private func name(of effect: RowEffect, _ cell: (CellChange) -> Cell) -> String {
        let cells = Dictionary(
            effect.cells.map { ($0.column, cell($0)) }, uniquingKeysWith: { first, _ in first })
        let title = list.map { name(ofRow: effect.rowID, in: $0, cells: cells) } ?? ""
        return title.isEmpty ? "row \(effect.rowID)" : glyphs.quoted(title)
    }
}

/// The others on a row.
struct RowVisitors: Hashable, Sendable {
    private var names: [String] = []
    private var isEdited = false

    /// Puts those who edit first.
    mutating func add(_ name: String, _ activity: Presence.Activity) {
        switch activity {
        case .looks: names.append(name)
        case .edits:
            names.insert(name, at: 0)
            isEdited = true
        }
    }

    /// `●bo editing`, `●ana +2`
    func text(_ glyphs: Glyphs) -> String {
        guard let first = names.first else { return "" }
        var text = glyphs.live + glyphs.shortName(first)
        if isEdited { text += " editing" }
        if names.count > 1 { text += " +\(names.count - 1)" }
        return text
    }
}
