import ValetModel

extension Decider {
    /// Refuses an undo or redo that a foreign key would carry on to rows, or columns, which the
    /// command itself did not change: somebody has made them refer to its rows since. Called when
    /// all is taken back.
    func checkFollowers(of plans: [[Effect]], _ direction: UndoDirection) throws(CommandStop) {
        if foreignKeys.isEmpty { return }
        let unnamed = unnamed(recorder.tablesTouched)
        for plan in plans {
            guard let name = foreignKeys.follower(of: plan, among: unnamed, isTakenBack: true)
            else { continue }
            throw Self.refersSince("rows of “\(name)”, which have", direction)
        }
        let touched = recorder.rows
        guard touched.contains(where: { $0.named != .all }) else { return }
        var (rows, new) = (touched, [] as [[Cell]?])
        var bytesLeft = Limits.bytesPerLoggedCommand
        for row in rows {
            let table = tables[row.key.table]
            new.append(try storage(table.row(row.key.rowID, bytesLeft: &bytesLeft)))
        }
        foreignKeys.mark(&rows, new: new)
        let follower = rows.indices.first { place in
            guard let old = touched[place].old, rows[place].named != touched[place].named else {
                return false
            }
            guard let new = new[place] else { return true }
            return zip(old, new).enumerated().contains { column, values in
                values.0 != values.1 && rows[place].named.contains(column)
                    && !touched[place].named.contains(column)
            }
        }
        guard let follower else { return }
        let key = touched[follower].key
        throw Self.refersSince(
            "row \(key.rowID) of “\(tables[key.table].stored.name)”, which has", direction)
    }

    /// Sets what foreign keys may have changed again while the other effects were taken back: the
    /// parent of a row may have come back after it, or got the key of another one for a moment.
    ///
    /// - Parameter effects: what was taken back, in the order of the command, in which rows follow
    ///   those that they refer to.
    func putFollowersRight(
        _ effects: [Effect], of place: ChangedList, isForced: Bool
    ) throws(CommandStop) {
        let columns = tables.indices.map(foreignKeys.childColumns)
        let followers = effects.filter { !columns[$0.table].isEmpty }
        var wrong: Effect?
        // Each time, the rows that refer to those of the last time may have changed.
        for _ in 0...Limits.foreignKeysInAChain {
            wrong = nil
            for effect in followers {
                guard let now = try storage(tables[effect.table].row(effect.rowID)) else {
                    continue
                }
                let values = restored(effect, of: place).filter {
                    columns[effect.table].contains($0.column) && now[$0.column] != $0.value
                }
                if values.isEmpty { continue }
                wrong = effect
                try set(values, of: effect, in: place)
            }
            if wrong == nil { return }
        }
        guard !isForced, let wrong, wrong.table != place.table else { return }
        throw .refused(
            "row \(wrong.rowID) of “\(tables[wrong.table].stored.name)”, which it changed, too, "
                + "can't be taken back")
    }

    /// Whether a foreign key has put a row, which was not there before, where one is to come back:
    /// with another key, what it refers to has given it another id.
    func hasBeenMoved(to key: RowKey) throws(CommandStop) -> Bool {
        guard foreignKeys.giveRowIDs(in: key.table) else { return false }
        return try storage(recorder.read(key)) != nil
    }

    private static func refersSince(_ what: String, _ direction: UndoDirection) -> CommandStop {
        .refused(
            "a foreign key would also change \(what) begun to refer to it since"
                + (direction == .undo ? ": skip it to undo what is older" : ""))
    }
}
