import ValetModel

enum UndoDirection: String {
    case undo
    case redo

    var verb: String { rawValue }
}

/// A place in what a station has done to a list. Undo and redo are one thing: the inverse of the
/// effects of the command that the step names, which puts its own command there.
struct UndoStep {
    let place: Int64
    let revision: UInt64
}

extension Decider {
    /// What the station did last, or what it undid last, with the group.
    ///
    /// - Parameter named: the newest step that the person was asked about. The station may have
    ///   done something else since, at another terminal.
    func steps(
        to direction: UndoDirection, named: UInt64? = nil, _ sent: SentCommand,
        in place: ChangedList
    ) throws(CommandStop) -> [UndoStep] {
        let steps = try storage(log.undoSteps(direction, sent.station.id, list: place.list.name))
        if steps.isEmpty {
            let hasDropped = try storage(log.dropped()) > 0
            throw .refused(
                "there is nothing to \(direction.verb) in “\(place.list.title)”"
                    + (hasDropped ? " that is still kept" : ""))
        }
        if let named, steps.first?.revision != named {
            throw .refused(
                "the newest change of “\(place.list.title)” is no longer the one that was "
                    + "asked about: undo again")
        }
        return steps
    }

    /// What undo would take back, for a command that the database has refused as a whole.
    func step(of sent: SentCommand, list: String) throws(CommandStop) -> UInt64? {
        switch sent.command.change {
        case .undo, .forceUndo:
            try storage(log.undoSteps(.undo, sent.station.id, list: list)).first?.revision
        case .insert, .update, .delete, .move, .updateMatching, .deleteMatching, .redo, .skipUndo:
            nil
        }
    }

    /// Takes back the steps.
    ///
    /// - Parameters:
    ///   - forced: the newest of them, if what others have changed since is taken back, too.
    ///   - seen: what they have changed after this revision is a conflict all the same; nil for
    ///     none.
    func turn(
        _ direction: UndoDirection, forced: UInt64? = nil, seen: UInt64? = nil,
        _ sent: SentCommand, in place: ChangedList
    ) throws(CommandStop) -> CarriedOut {
        let steps = try steps(to: direction, named: forced, sent, in: place)
        let isForced = forced != nil
        let (verb, advice) = (direction.verb, direction == .undo ? ": skip it" : "")
        if direction == .undo { step = steps.first?.revision }
        var plans: [[Effect]] = []
        var count = 0
        for step in steps {
            guard let past = try storage(self.past(at: step.revision)) else {
                throw .refused(
                    "what there was to \(verb) in “\(place.list.title)” is no longer kept")
            }
            if let table = past.renumbered {
                throw .refused(
                    "another program has given the rows of “\(table)” new ids since, so the "
                        + "rows to \(verb) can't be found\(advice)")
            }
            guard past.isWhole else {
                throw .refused("the columns of the table have changed: nothing is left to \(verb)")
            }
            let plan = past.effects.filter(\.isOwn)
            count += plan.count
            guard count <= Limits.rowsPerUndo else {
                throw .refused(
                    "to \(verb) it would change \(count) rows, more than "
                        + "\(Limits.rowsPerUndo) (rowsPerUndo)\(advice)")
            }
            if let lost = foreignKeys.follower(of: plan, among: past.unnamedTables) {
                throw .refused(
                    "a foreign key has changed rows of “\(lost)” with it, which has no row ids: "
                        + "what they were is not kept, so it can't be undone\(advice)")
            }
            for effect in plan {
                let mayDoIt =
                    place.allowed?.mayTakeBack(effect, direction, isForced: isForced) ?? true
                guard mayDoIt || effect.table != place.table else {
                    throw .refused("this station may no longer do what there is to \(verb)")
                }
                try checkKept(effect, direction, in: place)
            }
            plans.append(plan)
        }
        // Parents may come back after their children.
        try storage(prepared.run(SQL.deferForeignKeys))
        defer { try? prepared.run(SQL.checkForeignKeysAtOnce) }
        var rowIDs: [Int64] = []
        for (step, plan) in zip(steps, plans) {
            let place = place.takingBack(plan, along: foreignKeys)
            if !isForced {
                try checkUnchanged(plan, in: place)
                try checkOrder(plan, since: step.revision, in: place)
            } else if let seen, try hasNews(for: plan, since: seen, in: place) {
                try checkUnchanged(plan, in: place)
            }
            var takenBack: [Effect] = []
            for effect in plan.reversed() {
                if isForced, try !canTakeBack(effect, of: place) { continue }
                try checkReadOnly(effect, direction, in: place)
                try takeBack(effect, of: place)
                takenBack.append(effect)
                if effect.table == place.table, !effect.isRenumbering {
                    rowIDs.append(effect.rowID)
                }
            }
            try putFollowersRight(takenBack.reversed(), of: place, isForced: isForced)
        }
        // SQLite forgets what is broken when they are not deferred any more.
        try checkForeignKeys()
        if !isForced { try checkFollowers(of: plans, direction) }
        return CarriedOut(
            rowIDs: try storage(listed(rowIDs, in: place)), turned: steps.map(\.place),
            rest: try storage(unrestored(plans, in: place)))
    }

    /// Refuses what the log has kept only the beginning of.
    private func checkKept(
        _ effect: Effect, _ direction: UndoDirection, in place: ChangedList
    ) throws(CommandStop) {
        let table = tables[effect.table].stored
        let cells: [(column: Int, old: Cell)] =
            switch effect.change {
            case .insert: []
            case .delete(let cells): cells.enumerated().map { ($0, $1) }
            case .update(let cells): cells.filter(\.isOwn).map { ($0.column, $0.old) }
            }
        guard let cut = cells.first(where: { $0.old.isCut && table.isSettable($0.column) })
        else { return }
        let isHidden =
            effect.table != place.table || place.allowed?.hidden.contains(cut.column) ?? false
        let name = isHidden ? "a value" : "“\(table.columns[cut.column].name)”"
        throw .refused(
            "\(name) of row \(effect.rowID) had "
                + "\(cut.old.storedByteCount) bytes, more than are kept, so it can't be "
                + "undone: skip it to \(direction.verb) what is older")
    }

    /// Refuses to change a row that can only be read by now, unless it is the command itself that
    /// made it so.
    private func checkReadOnly(
        _ effect: Effect, _ direction: UndoDirection, in place: ChangedList
    ) throws(CommandStop) {
        let rules = place.list.rowRules
        guard effect.table == place.table, !effect.isRenumbering, rules.readOnlyColumn != nil else {
            return
        }
        let current = try storage(tables[effect.table].row(effect.rowID))
        guard let current, rules.isReadOnly(current) else { return }
        let isOwn =
            switch effect.change {
            case .insert(let made): rules.isReadOnly(made)
            case .delete: true
            case .update(let cells):
                !rules.isReadOnly(
                    cells.reduce(into: current) { before, cell in
                        if cell.isChanged { before[cell.column] = cell.old }
                    })
            }
        if isOwn { return }
        throw .refused(
            "row \(effect.rowID) is now read-only"
                + (direction == .undo ? ": skip it to undo what is older" : ""))
    }

    /// Whether the row is still there, or still gone.
    private func canTakeBack(_ effect: Effect, of place: ChangedList) throws(CommandStop) -> Bool {
        let current = try storage(tables[effect.table].row(effect.rowID))
        let isThere =
            switch effect.change {
            case .insert, .update: current != nil
            case .delete: current == nil
            }
        return isThere && place.reaches(current, of: effect)
    }

    /// Those that the list had before the command, or has now. Foreign keys may have changed
    /// others.
    private func listed(_ rowIDs: [Int64], in place: ChangedList) throws(ValetError) -> [Int64] {
        guard place.listed != nil else { return rowIDs }
        var listed: [Int64] = []
        for rowID in rowIDs {
            let key = RowKey(table: place.table, rowID: rowID)
            let states = [try recorder.name(key, .none), try tables[place.table].row(rowID)]
            if states.contains(where: { $0.map(place.has) == true }) { listed.append(rowID) }
        }
        return listed
    }

    /// The cells and rows of the list that are not what they were before the steps.
    private func unrestored(
        _ plans: [[Effect]], in place: ChangedList
    ) throws(ValetError) -> [Conflict] {
        var before: [Int64: RowBefore] = [:]
        var rowIDs: [Int64] = []
        for plan in plans {
            for effect in plan.reversed()
            where effect.table == place.table && !effect.isRenumbering {
                if before[effect.rowID] == nil { rowIDs.append(effect.rowID) }
                before[effect.rowID, default: RowBefore()].take(effect)
            }
        }
        var rest: [Conflict] = []
        for rowID in rowIDs {
            guard let row = before[rowID] else { continue }
            let stored = try tables[place.table].row(rowID)
            let now = stored.flatMap { place.has($0) ? $0 : nil }
            // Redo takes a row out of the list again, and a row that foreign keys have changed
            // may never have been there.
            if now == nil, stored != nil, row.differences(to: stored).isEmpty { continue }
            for (theirs, restored) in row.differences(to: now) {
                rest.append(
                    Conflict(
                        rowID: rowID, theirs: theirs.cut, station: "", time: 0,
                        restored: restored?.cutForConflict))
                if rest.count == Limits.problemsPerOutcome { return rest }
            }
        }
        return rest
    }

    /// What others have done since to the row of an effect, and in which list.
    private func changes(
        since effect: Effect, in place: ChangedList
    ) throws(CommandStop) -> (list: ChangedList, theirs: [Conflict.Theirs]) {
        let table = effect.table
        let current = try storage(tables[table].row(effect.rowID))
        let theirs = effect.changes(to: current, position: place.list.positionColumn)
        guard table == place.table else {
            return (ChangedList(list: place.list, table: table, listed: nil), theirs)
        }
        // Nobody hears what a row holds that is not in the list.
        let isUnheard =
            current.map(place.has) != true
            && (!theirs.isEmpty || !place.reaches(current, of: effect))
        return (place, isUnheard ? [.rowDeleted] : theirs)
    }

    /// Whether others have changed after a revision what undo would have a conflict about.
    private func hasNews(
        for plan: [Effect], since seen: UInt64, in place: ChangedList
    ) throws(CommandStop) -> Bool {
        for effect in plan {
            let (list, all) = try changes(since: effect, in: place)
            for theirs in all {
                let made = try storage(whoAndWhen(theirs, effect.rowID, list))
                if (made?.revision ?? changedByOthers) > seen { return true }
            }
        }
        return false
    }

    /// Conflicts with what others have done since to the rows. A conflict names no list, so what
    /// they have done in another one is a refusal.
    private func checkUnchanged(_ plan: [Effect], in place: ChangedList) throws(CommandStop) {
        var conflicts: [Conflict] = []
        for effect in plan {
            let table = effect.table
            let (changed, theirs) = try changes(since: effect, in: place)
            for theirs in theirs where table == place.table {
                try add(
                    theirs, effect.rowID, changed, restored: effect.restored(for: theirs),
                    to: &conflicts)
            }
            if let first = theirs.first, table != place.table {
                let who = try conflict(first, effect.rowID, changed).station
                throw .refused(
                    "row \(effect.rowID) of “\(tables[table].stored.name)”, which it changed, too, "
                        + "has changed since" + (who.isEmpty ? "" : ", by “\(who)”"))
            }
        }
        try stop(for: conflicts)
    }

    private func takeBack(_ effect: Effect, of place: ChangedList) throws(CommandStop) {
        let table = tables[effect.table]
        var own = EffectRecorder.NamedColumns.all
        if case .update(let cells) = effect.change {
            own = .some(Set(cells.filter(\.isOwn).map(\.column)))
        }
        let key = RowKey(table: effect.table, rowID: effect.rowID)
        let before = try storage(recorder.name(key, own))
        switch effect.change {
        case .insert:
            recorder.isDeleting = true
            defer { recorder.isDeleting = false }
            try restoring(effect, of: place, deleting: effect.rowID, by: table.delete(effect.rowID))
        case .delete:
            let values = restored(effect, of: place)
            if before == nil, try hasBeenMoved(to: key) {
                return try set(values, of: effect, in: place)
            }
            try restoring(effect, of: place, by: table.insert(effect.rowID, values))
        case .update: try set(restored(effect, of: place), of: effect, in: place)
        }
    }

    /// What taking an effect back stores in the row.
    func restored(_ effect: Effect, of place: ChangedList) -> [ColumnValue] {
        let values =
            switch effect.change {
            case .insert: [] as [ColumnValue]
            case .delete(let cells):
                cells.enumerated().map { ColumnValue(column: $0, value: $1) }
            case .update(let cells):
                effect.restored(cells, position: place.list.positionColumn)
                    .map { ColumnValue(column: $0.column, value: $0.old) }
            }
        return values.filter { tables[effect.table].stored.isSettable($0.column) }
    }

    func set(
        _ values: [ColumnValue], of effect: Effect, in place: ChangedList
    ) throws(CommandStop) {
        if values.isEmpty { return }
        try restoring(effect, of: place, by: tables[effect.table].update(effect.rowID, values))
    }

    private func restoring(
        _ effect: Effect, of place: ChangedList, deleting rowID: Int64? = nil,
        by change: @autoclosure () throws(ValetError) -> Void
    ) throws(CommandStop) {
        do throws(CommandStop) {
            try changing(row: 0, in: tables[effect.table], deleting: rowID, by: change())
        } catch {
            throw effect.table == place.table ? error : error.withoutColumns
        }
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

    /// What undo would put into the cell that a conflict is about.
    fileprivate func restored(for theirs: Conflict.Theirs) -> Cell? {
        guard case .cell(let cell) = theirs, case .update(let cells) = change else { return nil }
        return cells.first { $0.column == cell.column }?.old
    }
}
