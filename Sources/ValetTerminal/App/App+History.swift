import ValetModel

/// What was changed in the list, by whom and when: newest first, to look through.
extension App {
    mutating func take(_ history: History, list name: String) -> [AppAction] {
        guard let list, list.list.name == name else { return [] }
        message = nil
        guard !history.changes.isEmpty else {
            message = "No history for \(list.list.title)"
            return []
        }
        palette = Palette(
            title: "History of \(list.list.title)"
                + (options.zone == nil ? ", times in UTC" : ""),
            items: history.changes.map { change in
                let text = "\(who(change)) \(text(of: change))"
                return Palette.Item(
                    keys: when(change), title: text,
                    choice: change.effect.map { $0.kind == .deleted ? nil : .goToRow($0.rowID) }
                        .flatMap(\.self) ?? .say(text))
            }, isWide: true)
        return []
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
        case .inserted:
            named = "added \(name(of: effect) { $0.after })"
        case .deleted: return "deleted \(name(of: effect) { $0.before })"
        case .updated:
            let row = list.held.row(withID: effect.rowID)
            let title = row.map {
                glyphs.quoted(
                    list.columns.layout.nameText(
                        of: $0, positions: list.columns.positions, glyphs: glyphs))
            }
            named = "edited \(title ?? "row \(effect.rowID)")"
        }
        let cells = effect.cells.filter { list.list.columns.indices.contains($0.column) }
        guard effect.kind == .updated, !cells.isEmpty else { return named }
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
