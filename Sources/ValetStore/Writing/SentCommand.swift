import ValetModel

/// A command as it came from a station.
package struct SentCommand: Hashable, Sendable {
    /// With the columns of the table, and the list's own name.
    package var command: Command
    /// Of the command as it came: what it names may be hidden by now, or have other numbers.
    let digest: Int64
    package var station: Station
    /// Whether it loads the list from elsewhere, which is right in lists that people can't edit.
    package var isRefresh = false
    /// Why it is not carried out: it only gets an outcome that it has. Its columns and rows may be
    /// others by now, or its list may be hidden.
    package var refusal: ValetError?
    /// What the station may do; nil for everything.
    package var allowed: AllowedList?

    package init(_ command: Command, from station: Station) {
        self.command = command
        digest = command.digest
        self.station = station
    }

    package static let catalogChanged = ValetError(
        .catalogChanged,
        "tables or row ids have changed since the list was read: check it, and try again")
}

/// Looks up the rows that the query of an `updateMatching` or `deleteMatching` finds at a
/// revision. Called inside the transaction, in which no other program commits; its command is the
/// first of the batch.
package typealias RowFinder = (SentCommand, _ revision: UInt64) throws(ValetError) -> [Int64]

/// An outcome is stored with its command. An error is not: the command has no revision, and may be
/// sent again if the error is `.storageFailed` or `.timedOut`.
package typealias CommandResult = Result<Outcome, ValetError>

/// What one transaction changes, for those who keep lists in memory.
package struct CommittedBatch: Sendable {
    /// The file's revision before the batch, and after the foreign change.
    package let before: UInt64
    /// The revision of the batch's last command.
    package var revision: UInt64
    /// What another program committed since the batch before; it comes before these commands.
    package var foreignChange: ForeignChange?
    /// The commands that were carried out, in order. Those that changed nothing have no effects.
    package var commands: [CommittedCommand]
    /// By list, and by column of titles.
    package var titles: [Int: [Int: TitleChanges]] = [:]
}

/// Titles of rows that a commit has changed, in a list whose rows refer to these.
package struct TitleChanges: Sendable {
    /// The column that refers to them.
    package let keyColumn: Int
    /// By key; NULL where no row has it any more.
    package var titles: [Cell: Cell] = [:]

    package init(keyColumn: Int, titles: [Cell: Cell] = [:]) {
        (self.keyColumn, self.titles) = (keyColumn, titles)
    }
}

package struct CommittedCommand: Sendable {
    package var name: CommandName
    package var station: Station
    package var revision: UInt64
    /// By list, as positions in the catalog, in the order in which the rows were first touched. A
    /// list that shares its table with another has the same effects. Texts are cut to
    /// `Limits.bytesPerKeyText`, and blobs are sizes.
    package var effects: [(list: Int, changes: [RowChange])]
    /// Lists that are made of the tables that it changed, or show titles of rows that nobody has
    /// noted: any of their rows may be others now.
    package var unknownLists: Set<Int> = []
}

/// Commits of other programs.
package struct ForeignChange: Hashable, Sendable {
    /// The revision before them.
    package var before: UInt64
    package var revision: UInt64
    /// By list: the rows that they touched, as they are now. `insert` is a row that exists, with
    /// all its cells, and `delete` one that does not. In lists that are left out, any row may have
    /// changed.
    package var rows: [Int: [RowChange]] = [:]
}
