import ValetModel

/// What stations can undo and redo.
extension LogTables {
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
        var group: CommandName?
        try prepared.rows(sql, [station.cell, .text(list)]) { row in
            let its = CommandName(
                writer: WriterID(row, at: 3), number: UInt64(bitPattern: row.integer(2)))
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
    func storeSteps(of command: EntryCommand, at revision: UInt64) throws(ValetError) {
        let key = [command.station.id.cell, .text(command.list)]
        for place in command.skipped {
            try prepared.run(SQL.forgetStep, key + [.integer(place)])
        }
        let stored = Cell.integer(Int64(bitPattern: revision))
        // What has changed nothing has no inverse.
        let isKept = command.effects.contains(where: \.isOwn)
        if let kept = command.turned.last {
            for place in isKept ? command.turned.dropLast() : command.turned[...] {
                try prepared.run(SQL.forgetStep, key + [.integer(place)])
            }
            if isKept {
                try prepared.run(SQL.turnStep, [stored] + key + [.integer(kept)])
            }
            return
        }
        guard isKept else { return }
        try prepared.run(SQL.forgetRedo, key)
        let newest = try prepared.integer(SQL.newestPlace, key) ?? 0
        let group = Int64(exactly: command.group) ?? 0
        try prepared.run(
            SQL.addUndo,
            key + [.integer(newest &+ 1), stored] + command.name.writer.cells + [.integer(group)])
        try prepared.run(
            SQL.boundUndo, key + [.integer(newest &+ 1 &- Int64(Limits.undoDepth))])
    }
}
