import ValetModel

extension WrittenFile {
    /// The newest step with its group, newest first; or the oldest step that was undone.
    func undoSteps(
        _ direction: UndoDirection, _ station: StationID, list: String
    ) throws(ValetError) -> [UndoStep] {
        let sql =
            switch direction {
            case .undo: SQL.newestUndo
            case .redo: SQL.oldestRedo
            }
        var steps: [UndoStep] = []
        var group: (writer: Int64, group: Int64)?
        try prepared.rows(sql, [station.cell, .text(list)]) { row in
            let its = (row.integer(2), row.integer(3))
            if let group, group != its { return false }
            group = its
            steps.append(
                UndoStep(
                    place: row.integer(0), revision: UInt64(bitPattern: row.integer(1))))
            // A group that was undone is one step.
            return direction == .undo && steps.count < Limits.undoDepth
        }
        return steps
    }

    /// Makes a command a step that can be undone, or turns the steps that it has undone or redone.
    func logUndo(of command: LoggedCommand) throws(ValetError) {
        let key = [command.sent.station.id.cell, .text(command.list)]
        for step in command.skipped {
            try prepared.run(SQL.forgetStep, key + [.integer(step.place)])
        }
        let revision = Cell.integer(Int64(bitPattern: command.revision))
        if let kept = command.turned.last {
            // What has changed nothing has no inverse.
            let isKept = command.effects.contains(where: \.isOwn)
            for step in isKept ? command.turned.dropLast() : command.turned[...] {
                try prepared.run(SQL.forgetStep, key + [.integer(step.place)])
            }
            if isKept {
                try prepared.run(SQL.turnStep, [revision] + key + [.integer(kept.place)])
            }
            return
        }
        guard command.effects.contains(where: \.isOwn) else { return }
        try prepared.run(SQL.forgetRedo, key)
        let newest = try prepared.integer(SQL.newestPlace, key) ?? 0
        let name = command.sent.command.name
        let group = Int64(exactly: command.sent.command.group) ?? 0
        try prepared.run(
            SQL.addUndo,
            key + [
                .integer(newest &+ 1), revision, .integer(Int64(bitPattern: name.writer)),
                .integer(group),
            ])
        try prepared.run(
            SQL.boundUndo, key + [.integer(newest &+ 1 &- Int64(Limits.undoDepth))])
    }
}

/// A row before several steps, which are taken back newest first.
struct RowBefore {
    private enum State {
        case gone
        case whole([Cell])
        case some([Int: Cell])
    }

    private var state = State.some([:])

    mutating func take(_ effect: Effect) {
        switch effect.change {
        case .insert: state = .gone
        case .delete(let cells): state = .whole(cells)
        case .update(let cells):
            for cell in cells { set(cell.column, cell.old) }
        }
    }

    private mutating func set(_ column: Int, _ value: Cell) {
        switch state {
        case .gone: break
        case .whole(var cells):
            guard cells.indices.contains(column) else { return }
            cells[column] = value
            state = .whole(cells)
        case .some(var cells):
            cells[column] = value
            state = .some(cells)
        }
    }

    /// - Parameter now: the row's cells; nil if it is gone.
    func differences(to now: [Cell]?) -> [(theirs: Conflict.Theirs, restored: Cell?)] {
        switch (state, now) {
        case (.gone, nil): []
        case (.gone, _?): [(.rowChanged, nil)]
        case (.whole, nil), (.some, nil): [(.rowDeleted, nil)]
        case (.whole(let cells), let now?):
            Self.differences(Array(cells.enumerated().map { ($0, $1) }), now)
        case (.some(let cells), let now?):
            Self.differences(cells.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, now)
        }
    }

    /// What was cut can't be compared.
    private static func differences(
        _ cells: [(column: Int, value: Cell)], _ now: [Cell]
    ) -> [(theirs: Conflict.Theirs, restored: Cell?)] {
        cells.compactMap { column, value in
            guard now.indices.contains(column), now[column] != value, !value.isCut else {
                return nil
            }
            return (.cell(ColumnValue(column: column, value: now[column])), value)
        }
    }
}
