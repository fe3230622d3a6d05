import ValetModel

extension Decider {
    /// Refuses an undo or redo that a foreign key would carry on to rows which the command itself
    /// did not change: somebody has made them refer to its rows since. Called when all is taken
    /// back.
    func checkFollowers(
        of plans: [[Effect]], _ direction: UndoDirection
    ) throws(CommandStop) {
        if foreignKeys.isEmpty { return }
        let unnamed = unnamed(recorder.tablesTouched)
        for plan in plans {
            guard let name = foreignKeys.follower(of: plan, among: unnamed, isTakenBack: true)
            else { continue }
            throw Self.refersSince("rows of “\(name)”, which have", direction)
        }
        let touched = recorder.rows
        guard touched.contains(where: { $0.named == .none }) else { return }
        var (rows, new) = (touched, [] as [[Cell]?])
        var bytesLeft = Limits.bytesPerLoggedCommand
        for row in rows {
            new.append(
                try storage { () throws(ValetError) in
                    try tables[row.key.table].row(row.key.rowID, bytesLeft: &bytesLeft)
                })
        }
        foreignKeys.mark(&rows, new: new)
        let follower = rows.indices.first {
            touched[$0].named == .none && rows[$0].named != .none && touched[$0].old != new[$0]
        }
        guard let follower else { return }
        let key = touched[follower].key
        throw Self.refersSince(
            "row \(key.rowID) of “\(tables[key.table].stored.name)”, which has", direction)
    }

    private static func refersSince(_ what: String, _ direction: UndoDirection) -> CommandStop {
        .refused(
            "with it a foreign key would change \(what) come to refer to it only since"
                + (direction == .undo ? ": skip it to undo what is older" : ""))
    }
}
