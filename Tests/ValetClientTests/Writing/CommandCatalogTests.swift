import TestSupport
import Testing
import ValetModel

@testable import ValetClient

private typealias Action = CommandOutbox.Action

/// Commands that were made with the catalog of another epoch.
@Suite struct CommandCatalogTests {
    private static func cars(
        _ columns: String..., epoch: UInt64, keepsRowIDs: Bool = true
    ) -> ListDescription {
        var list = ListDescription(named: "cars", epoch: epoch)
        list.columns = columns.map { ColumnDescription(name: $0, type: .text) }
        list.rowIDs = keepsRowIDs ? .row : .epoch
        return list
    }

    private static func edit(_ column: Int) -> Change {
        .set(6, column, .text("typed"), seen: .cell(.null))
    }

    private static func insert(_ columns: Int...) -> Change {
        .insert([columns.map { ColumnValue(column: $0, value: .text("\($0)")) }])
    }

    private static func sent(
        _ change: Change, epoch: UInt64, number: UInt64 = 1, _ ticket: UInt64 = 1
    ) -> Action {
        let name = CommandName(writer: 9, number: number)
        return .send(Command(name: name, list: "cars", change: change), epoch: epoch, ticket)
    }

    /// An outbox with a writer, in which a change of a list was refused as of another catalog.
    private static func refused(
        _ change: Change, of list: ListDescription, backOff: BackOff = BackOff()
    ) throws -> CommandOutbox {
        var outbox = CommandOutbox(backOff: backOff)
        var actions: [Action] = []
        outbox.connected(waitingRequests: 64, &actions)
        outbox.writerAssigned(9, &actions)
        _ = try outbox.submitted([change], list: list, &actions)
        #expect(actions == [sent(change, epoch: list.epoch)])
        actions = []
        outbox.commandFailed(ValetError(.catalogChanged, "so"), 1, random: 1, &actions)
        #expect(actions == [.requestCatalog])
        return outbox
    }

    private static func read(_ list: ListDescription?, _ outbox: inout CommandOutbox) -> [Action] {
        var actions: [Action] = []
        outbox.catalogRead([list].compactMap(\.self), random: 1, &actions)
        return actions
    }

    private static let old = cars("make", "note", "hint", epoch: 1)
    private static let newer = cars("make", "hint", epoch: 2)
    private static let sameColumns = cars("make", "note", "hint", epoch: 2)
    /// Lists whose rows may have other ids in another epoch.
    private static let looseOld = cars("make", epoch: 1, keepsRowIDs: false)
    private static let looseNewer = cars("make", epoch: 2, keepsRowIDs: false)

    @Test func columnsGoByTheirNames() throws {
        var outbox = try Self.refused(Self.edit(0), of: Self.old)
        #expect(Self.read(Self.newer, &outbox) == [Self.sent(Self.edit(0), epoch: 2)])
        // What comes from a screen of before is looked at before it is sent.
        var actions: [Action] = []
        _ = try outbox.submitted([Self.insert(0)], list: Self.old, &actions)
        #expect(actions == [Self.sent(Self.insert(0), epoch: 2, number: 2, 2)])
        outbox = try Self.refused(Self.insert(0), of: Self.looseOld)
        #expect(Self.read(Self.looseNewer, &outbox) == [Self.sent(Self.insert(0), epoch: 2)])
    }

    private static let otherIDs = "rows of “cars” may have other ids now: check, and try again"

    @Test(
        arguments: [
            // The outcome would speak of columns by other numbers than whoever made the change.
            (edit(2), old, newer, "the columns of “cars” have changed: check, and try again"),
            // An edit would land in another column.
            (edit(1), old, newer, "“cars” no longer has a column “note”"),
            // Revisions of another epoch say nothing of when a row was changed.
            (
                .delete([RowDeletion(rowID: 1, seen: 5)]), old, sameColumns,
                "“cars” may have changed since it was read: check, and try again"
            ),
            (edit(0), looseOld, looseNewer, otherIDs),
            (.delete(6), looseOld, looseNewer, otherIDs),
            (insert(0), old, nil, "list “cars” no longer exists"),
        ] as [(Change, ListDescription, ListDescription?, String)])
    func whatTheNewerCatalogLeavesInDoubtFails(
        change: Change, old: ListDescription, newer: ListDescription?, message: String
    ) throws {
        var outbox = try Self.refused(change, of: old)
        let error = ValetError(.catalogChanged, message)
        #expect(Self.read(newer, &outbox) == [.complete(1, .failure(error))])
    }

    /// Of a file that was put in the place of the one that was meant, too.
    @Test(arguments: [Change.undo, .redo, .skipUndo(step: 4), .forceUndo(step: 4)])
    func theNewestStepOfAnotherEpochIsNotUndone(change: Change) throws {
        try whatTheNewerCatalogLeavesInDoubtFails(
            change: change, old: Self.old, newer: Self.sameColumns,
            message: "the newest change of “cars” may be another one now: check, and try again")
    }

    /// The server has noticed in the middle of a command, and has yet to open the file again.
    @Test func theSameCatalogIsAskedForAgainLater() throws {
        let list = Self.cars("make", epoch: 1)
        var outbox = try Self.refused(Self.edit(0), of: list)
        guard case .retry? = Self.read(list, &outbox).first else {
            throw Unexpected("it does not wait")
        }
        var actions: [Action] = []
        outbox.retryDue(&actions)
        #expect(actions == [Self.sent(Self.edit(0), epoch: 1)])
    }

    /// Else it would be sent and refused again and again, without a pause.
    @Test func theSameCatalogEndsWhatHasNoAttemptsLeft() throws {
        let list = Self.cars("make", epoch: 1)
        var outbox = try Self.refused(Self.edit(0), of: list, backOff: BackOff(most: 0))
        var actions: [Action] = []
        _ = try outbox.submitted([Self.insert(0)], list: list, &actions)
        #expect(actions == [])
        actions = Self.read(list, &outbox)
        guard case .complete(1, .failure(let error))? = actions.first else {
            throw Unexpected("\(actions)")
        }
        #expect(error.code == .busy)
        // What was not refused is sent, once.
        #expect(actions.dropFirst() == [Self.sent(Self.insert(0), epoch: 1, number: 2, 2)])
    }
}
