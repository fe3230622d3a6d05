import ValetModel

enum UndoDirection {
    case undo
    case redo

    var verb: String {
        switch self {
        case .undo: "undo"
        case .redo: "redo"
        }
    }
}

/// A place in what a station has done to a list. Undo and redo are one thing: the inverse of the
/// effects of the command that the step names, which puts its own command there.
struct UndoStep {
    let place: Int64
    let revision: UInt64
}

extension WrittenFile {
    /// Takes back what the station did last, or what it undid last, with the group.
    func turn(
        _ direction: UndoDirection, _ sent: SentCommand, in place: ChangedList,
        _ logged: inout LoggedCommand
    ) throws(CommandStop) -> [Int64] {
        let steps = try storage { () throws(ValetError) in
            try undoSteps(direction, sent.station.id, list: place.list.name)
        }
        if steps.isEmpty {
            throw .refused("there is nothing to \(direction.verb) in “\(place.list.title)”")
        }
        var plans: [[Effect]] = []
        var count = 0
        for step in steps {
            guard
                let effects = try storage({ () throws(ValetError) in
                    try self.effects(at: step.revision)
                })
            else {
                throw .refused(
                    "what there was to \(direction.verb) in “\(place.list.title)” is no longer kept"
                )
            }
            let plan = effects.filter(\.isOwn)
            count += plan.count
            guard count <= Limits.rowsPerUndo else {
                throw .error(.limit("rowsPerUndo", is: Limits.rowsPerUndo, asked: count))
            }
            plans.append(plan)
        }
        // Parents may come back after their children.
        try storage { () throws(ValetError) in try prepared.run(SQL.deferForeignKeys) }
        defer { try? prepared.run(SQL.checkForeignKeysAtOnce) }
        var rowIDs: [Int64] = []
        for (step, plan) in zip(steps, plans) {
            try checkUnchanged(plan, direction, in: place)
            try checkOrder(plan, since: step.revision, in: place)
            for effect in plan.reversed() {
                let table = try table(of: effect, direction)
                do throws(CommandStop) {
                    try takeBack(effect, in: table, of: place)
                } catch {
                    throw table == place.table ? error : error.withoutColumns
                }
                if table == place.table, !effect.isRenumbering { rowIDs.append(effect.rowID) }
            }
        }
        logged.turned = steps
        return rowIDs
    }

    /// Conflicts with what others have done since to the rows. A conflict names no list, so what
    /// they have done in another one is a refusal.
    private func checkUnchanged(
        _ plan: [Effect], _ direction: UndoDirection, in place: ChangedList
    ) throws(CommandStop) {
        var conflicts: [Conflict] = []
        for effect in plan {
            let table = try table(of: effect, direction)
            var bytesLeft = Limits.bytesPerLoggedCommand
            let current = try storage { () throws(ValetError) in
                try tables[table].row(effect.rowID, bytesLeft: &bytesLeft)
            }
            let changed = ChangedList(list: place.list, table: table)
            let theirs = effect.changes(to: current, position: place.list.positionColumn)
            for theirs in theirs where table == place.table {
                try add(theirs, effect.rowID, changed, to: &conflicts)
            }
            if let first = theirs.first, table != place.table {
                let who = try conflict(first, effect.rowID, changed).station
                throw .refused(
                    "row \(effect.rowID) of “\(tables[table].stored.name)”, which it changed, too, "
                        + "is another by now" + (who.isEmpty ? "" : ", by “\(who)”"))
            }
        }
        try stop(for: conflicts)
    }

    private func takeBack(
        _ effect: Effect, in number: Int, of place: ChangedList
    ) throws(CommandStop) {
        let table = tables[number]
        func restored(_ values: [ColumnValue]) throws(CommandStop) -> [ColumnValue] {
            guard !values.contains(where: \.value.isCut) else {
                throw .refused("its values are too large to be kept, so it can't be taken back")
            }
            return values.filter { table.stored.isSettable($0.column) }
        }
        var own = EffectRecorder.NamedColumns.all
        if case .update(let cells) = effect.change {
            own = .some(Set(cells.filter(\.isOwn).map(\.column)))
        }
        try storage { () throws(ValetError) in
            _ = try recorder.name(RowKey(table: number, rowID: effect.rowID), own)
        }
        switch effect.change {
        case .insert:
            recorder.isDeleting = true
            defer { recorder.isDeleting = false }
            try changing(row: 0, in: table, mayBeGone: true) { () throws(ValetError) in
                try table.delete(effect.rowID)
            }
        case .delete(let cells):
            let values = try restored(
                cells.enumerated().map { ColumnValue(column: $0, value: $1) })
            try changing(row: 0, in: table) { () throws(ValetError) in
                try table.insert(effect.rowID, values)
            }
        case .update(let cells):
            let values = try restored(
                effect.restored(cells, position: place.list.positionColumn)
                    .map { ColumnValue(column: $0.column, value: $0.old) })
            if values.isEmpty { break }
            try changing(row: 0, in: table) { () throws(ValetError) in
                try table.update(effect.rowID, values)
            }
        }
    }

    private func table(
        of effect: Effect, _ direction: UndoDirection
    ) throws(CommandStop) -> Int {
        guard let table = tableOfShape[effect.shape] else {
            throw .refused(
                "the table has other columns by now, so there is nothing to \(direction.verb)")
        }
        guard effect.fits(columnCount: tables[table].stored.columns.count) else {
            throw .error(connection.damage("an entry of another table", of: "Valet's log"))
        }
        return table
    }
}

extension CommandStop {
    /// Columns of a refusal are those of the command's list.
    fileprivate var withoutColumns: CommandStop {
        guard case .verdict(.refused(let refusals)) = self else { return self }
        return .verdict(
            .refused(refusals.map { Refusal(row: $0.row, column: nil, message: $0.message) }))
    }
}

extension Effect {
    /// What others have done since to what undo restores.
    ///
    /// - Parameter current: the row's cells now.
    fileprivate func changes(to current: [Cell]?, position: Int?) -> [Conflict.Theirs] {
        func others(_ cells: [(column: Int, new: Cell)], _ current: [Cell]) -> [Conflict.Theirs] {
            cells.filter { $0.new != current[$0.column] }.map {
                .cell(ColumnValue(column: $0.column, value: current[$0.column]))
            }
        }
        return switch (change, current) {
        case (.delete, nil): []
        case (.delete, _?): [.rowChanged]
        case (.insert, nil), (.update, nil): [.rowDeleted]
        case (.insert(let cells), let current?):
            others(cells.enumerated().map { ($0, $1) }, current)
        case (.update(let cells), let current?):
            others(restored(cells, position: position).map { ($0.column, $0.new) }, current)
        }
    }

    /// Whether its cells are those of a table with so many columns.
    fileprivate func fits(columnCount: Int) -> Bool {
        switch change {
        case .insert(let cells), .delete(let cells): cells.count == columnCount
        case .update(let cells): cells.allSatisfy { $0.column < columnCount }
        }
    }
}

// MARK: Steps

extension WrittenFile {
    /// The newest step with its group, newest first; or the oldest step that was undone.
    private func undoSteps(
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
        let revision = Cell.integer(Int64(bitPattern: command.revision))
        if let kept = command.turned.last {
            for step in command.turned.dropLast() {
                try prepared.run(SQL.forgetStep, key + [.integer(step.place)])
            }
            try prepared.run(SQL.turnStep, [revision] + key + [.integer(kept.place)])
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
