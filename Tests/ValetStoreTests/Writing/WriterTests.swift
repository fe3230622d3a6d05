import CSQLite
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

@Suite struct WriterTests {
    @Test func aCellThatIsLongerThanTheLogKeepsCanBeSet() throws {
        let size = Limits.bytesPerLoggedCommand + 5
        let file = try WrittenDatabase(
            "CREATE TABLE cars (make TEXT, photo BLOB);"
                + "INSERT INTO cars VALUES ('BMW', zeroblob(\(size)))")
        let seen = ValueDigest(of: [UInt8](repeating: 0, count: size))
        var other = seen
        other.hash &+= 1
        #expect(try file.send(.set(1, 1, .integer(1), seen: .long(other))).conflicts.count == 1)
        #expect(try file.send(.set(1, 1, .integer(1), seen: .long(seen))).isApplied)
        #expect(try file.query("SELECT photo FROM cars") == [["1"]])
    }

    /// Elsewhere than on macOS these change nothing.
    @Test func aCommitReachesTheDriveItself() throws {
        let file = try WrittenDatabase()
        let connection = try #require(file.writer).file().connection
        #expect(try connection.integer("PRAGMA synchronous") == 2)
        #expect(try connection.integer("PRAGMA fullfsync") == 1)
        #expect(try connection.integer("PRAGMA checkpoint_fullfsync") == 1)
    }

    @Test func rowsAreInsertedChangedAndDeleted() throws {
        let file = try WrittenDatabase()
        let insert = Change.insert([.text("VW"), .integer(1999)], [.text("Kia")])
        #expect(try file.send(insert) == .applied(rowIDs: [1, 2]))
        let update = Change.set(2, 1, .integer(2001), seen: .cell(.null))
        #expect(try file.send(update) == .applied(rowIDs: [2]))
        #expect(try file.send(.delete(1)) == .applied(rowIDs: [1]))
        #expect(try file.query("SELECT rowid, * FROM cars") == [["2", "Kia", "2001"]])
        #expect(file.batches.map(\.commands.count) == [1, 1, 1])
        let effects = file.batches.flatMap(\.commands).map { $0.effects.map(\.changes) }
        #expect(
            effects == [
                [
                    [
                        .insert(rowID: 1, cells: [0: .text("VW"), 1: .integer(1999)]),
                        .insert(rowID: 2, cells: [0: .text("Kia")]),
                    ]
                ], [[.update(rowID: 2, cells: [1: .integer(2001)])]], [[.delete(rowID: 1)]],
            ])
        #expect(file.batches.map(\.revision) == [1, 2, 3])
        #expect(try file.database.watch.look() == 3)
        #expect(try file.database.watch.lookForOthers() == 0)
    }

    enum Known: CaseIterable {
        case shown, changedBeforeRestart, madeByOthers
    }

    /// Who knows the row that another program deletes must not take a new one for it.
    @Test(arguments: Known.allCases)
    func anIDThatAnotherProgramHasFreedIsNotGivenAgain(known: Known) throws {
        let file = try WrittenDatabase(
            WrittenDatabase.cars + "; INSERT INTO cars VALUES ('a', 1), ('b', 2), ('c', 3)")
        switch known {
        case .shown: break
        case .changedBeforeRestart:
            #expect(try file.send(.set(3, 1, .integer(4), seen: .anything)).isApplied)
            file.close()
        case .madeByOthers:
            try file.change("INSERT INTO cars VALUES ('d', 4), ('e', 5)")
            let look = try file.database.watch.look()
            try #require(file.writer).keepRevisions(upTo: look)
            try file.change("DELETE FROM cars WHERE rowid > 3")
        }
        try file.change("DELETE FROM cars WHERE rowid = 3")
        if known == .changedBeforeRestart { try file.reopen() }
        let next: Int64 = known == .madeByOthers ? 6 : 4
        let insert = Change.insert([.text("new"), .integer(4)])
        #expect(try file.send(insert, from: .bert) == .applied(rowIDs: [next]))
        if known == .changedBeforeRestart {
            #expect(try file.send(.undo).conflicts.map(\.theirs) == [.rowDeleted])
        }
    }

    @Test func aBatchIsOneTransaction() throws {
        let file = try WrittenDatabase()
        let results = try file.commit([
            file.command(.insert([.text("VW")])), file.command(.set(1, 1, .integer(1999))),
            file.command(.set(1, 1, .integer(2000), seen: .cell(.null)), from: .bert),
            file.command(.delete(1)),
        ])
        #expect(try results.map { try $0.get().revision } == [1, 2, 3, 4])
        #expect(
            try results[2].get().verdict.conflicts == [
                Conflict(
                    rowID: 1, theirs: .cell(ColumnValue(column: 1, value: .integer(1999))),
                    station: "Anna", time: file.time)
            ])
        #expect(file.batches.count == 1 && file.batches[0].revision == 4)
        #expect(try file.database.watch.look() == 4)
    }

    @Test func aCommandSentAgainGetsItsFirstOutcome() throws {
        let file = try WrittenDatabase()
        let batch = [
            file.command(.insert([.text("VW")])), file.command(.set(1, 0, .text("Kia"))),
            file.command(.set(1, 0, .text("BMW"), seen: .cell(.text("VW")))),
            file.command(.set(1, 1, .text("none"))),
        ]
        let first = try file.commit(batch)
        let rows = try file.query("SELECT rowid, * FROM cars")
        #expect(try file.commit(batch) == first)
        #expect(try file.commit(batch.reversed()) == first.reversed())
        try file.reopen()
        #expect(try file.commit(batch) == first)
        #expect(try file.query("SELECT rowid, * FROM cars") == rows)
        #expect(try file.database.watch.look() == 5, "the opening is a revision")
    }

    @Test func aValueThatSomebodyElseHasSetAlreadyIsAConflictOfItsOwn() throws {
        let file = try WrittenDatabase(after: .insert([.text("VW"), .integer(5)]))
        let sale = Change.set(1, 1, .integer(4), seen: .cell(.integer(5)))
        #expect(try file.send(sale, from: .bert).isApplied)
        let second = file.command(sale)
        func already(_ year: Int64, _ station: String, _ time: Int64) -> [Conflict] {
            let value = ColumnValue(column: 1, value: .integer(year))
            return [Conflict(rowID: 1, theirs: .alreadySo(value), station: station, time: time)]
        }
        let expected = Verdict.conflict(already(4, "Bert", file.time))
        #expect(try file.commit([second])[0].get().verdict == expected)
        #expect(try file.query("SELECT year FROM cars") == [["4"]])
        // The outcome is stored as it was.
        try file.reopen()
        #expect(try file.commit([second])[0].get().verdict == expected)
        try file.change("UPDATE cars SET year = 3")
        let third = Change.set(1, 1, .integer(3), seen: .cell(.integer(4)))
        #expect(try file.send(third).conflicts == already(3, "", 0))
    }

    @Test func aValueThatIsAsSeenAndAsWantedIsNoConflict() throws {
        let file = try WrittenDatabase(after: .insert([.text("VW"), .integer(1)]))
        #expect(try file.send(.set(1, 0, .text("VW"), seen: .cell(.text("VW")))).isApplied)
        #expect(try file.send(.set(1, 0, .text("VW"))).isApplied)
        let long = String(repeating: "x", count: 300)
        try file.send(.set(1, 0, .text(long)))
        let digest = ValueDigest(of: long.utf8)
        #expect(try file.send(.set(1, 0, .text("Kia"), seen: .long(digest))).isApplied)
        #expect(
            try file.send(.set(1, 0, .text("VW"), seen: .long(digest))).conflicts.map(\.station)
                == ["Anna"])
    }

    @Test func deletedRowsAndLaterChangesAreConflicts() throws {
        let file = try WrittenDatabase(after: .insert([.text("VW")], [.text("Kia")]))
        let seen = try file.database.watch.look()
        try file.send(.set(1, 1, .integer(2)), from: .bert)
        func conflict(_ rowID: Int64, _ theirs: Conflict.Theirs, by station: String) -> [Conflict] {
            let time = station.isEmpty ? 0 : file.time - 1_000
            return [Conflict(rowID: rowID, theirs: theirs, station: station, time: time)]
        }
        let both = try file.send(.delete([2, 1].map { RowDeletion(rowID: $0, seen: seen) }))
        #expect(both.conflicts == conflict(1, .rowChanged, by: "Bert"))
        #expect(try file.query("SELECT count(*) FROM cars") == [["2"]])
        #expect(try file.send(.delete([RowDeletion(rowID: 2, seen: seen)])).isApplied)
        let late = try file.send(.set(2, 0, .text("VW")), from: .bert)
        #expect(late.conflicts == conflict(2, .rowDeleted, by: "Anna"))
        try file.change("UPDATE cars SET year = 3")
        let latest = try file.send(.delete([RowDeletion(rowID: 1, seen: seen + 2)]))
        #expect(latest.conflicts == conflict(1, .rowChanged, by: ""))
    }

    /// What a station has set is not what another program has set since, though it may be the same.
    @Test func aConflictWithAnotherProgramNamesNoStation() throws {
        let file = try WrittenDatabase()
        try file.send(.insert([.text("VW"), .integer(1)], [.text("Kia"), .integer(1)]))
        for year in [2, 3] as [Int64] {
            try file.send(.set(1, 1, .integer(year)), from: .bert)
        }
        try file.send(.set(1, 0, .text("Fiat")))
        func stations(_ change: Change) throws -> [String] {
            try file.send(change).conflicts.map(\.station)
        }
        let stale = Change.set(1, 1, .integer(9), seen: .cell(.integer(1)))
        #expect(try stations(stale) == ["Bert"], "another column was changed since")
        try file.change("UPDATE cars SET year = 2")
        #expect(try stations(stale) == [""])
        try file.send(.delete(2))
        let deleted = Change.set(2, 1, .integer(9))
        #expect(try stations(deleted) == ["Anna"])
        try file.change("DELETE FROM cars WHERE rowid = 1")
        #expect(try stations(stale) == [""])
    }

    /// Who it was is worth some time, but no command fails for it.
    @Test func aChangeThatLiesFarBackHasNoName() throws {
        let file = try WrittenDatabase(after: .insert([.text("VW"), .integer(1)]))
        try file.send(.set(1, 1, .integer(2)), from: .bert)
        for make in ["Kia", "Fiat", "BMW"] { try file.send(.set(1, 0, .text(make))) }
        let stale = Change.set(1, 1, .integer(9), seen: .cell(.integer(1)))
        #expect(try file.send(stale).conflicts.map(\.station) == ["Bert"])
        try file.writer?.file().decider.pastEffects = PastEffects(limit: 3)
        let conflicts = try file.send(stale).conflicts
        #expect(conflicts.map(\.station) == [""] && conflicts.map(\.time) == [0])
        #expect(conflicts.map(\.theirs) == [.cell(ColumnValue(column: 1, value: .integer(2)))])
    }

    @Test func aRestartIsNoChange() throws {
        let file = try WrittenDatabase()
        try file.send(.insert([.text("VW")], [.text("Kia")], [.text("Fiat")], [.text("BMW")]))
        let seen = try file.database.watch.look()
        func delete(_ rowID: Int64) throws -> Verdict {
            try file.send(.delete([RowDeletion(rowID: rowID, seen: seen)]))
        }
        try file.send(.set(2, 1, .integer(2)), from: .bert)
        try file.reopen()
        #expect(try delete(1).isApplied)
        #expect(try delete(2).conflicts.map(\.station) == ["Bert"])
        try file.reopen()
        #expect(try delete(3).isApplied)
        file.close()
        try file.change("UPDATE cars SET year = 3")
        try file.reopen()
        #expect(try delete(4).conflicts.map(\.theirs) == [.rowChanged])
        // What others did before is still known after a restart.
        try file.send(.insert([.text("Opel")]))
        try file.reopen()
        #expect(try delete(4).conflicts.map(\.theirs) == [.rowChanged])
    }

    @Test func anotherProgramsCommitIsReportedOnce() throws {
        let file = try WrittenDatabase(makes: "VW")
        try file.change("INSERT INTO cars VALUES ('Kia', 1)")
        try file.send(.set(2, 1, .integer(2)))
        try file.send(.set(2, 1, .integer(3)))
        #expect(
            file.batches.map(\.foreignChange) == [nil, ForeignChange(before: 1, revision: 2), nil])
        #expect(file.batches.map(\.revision) == [1, 3, 4])
        try file.change("DELETE FROM cars")
        #expect(try file.othersTakenIn() == ForeignChange(before: 4, revision: 5))
        #expect(try file.othersTakenIn() == nil)
    }

    @Test func anotherProgramsCommitAfterAnOpeningIsNotTakenForTheWriters() throws {
        let file = try WrittenDatabase(makes: "VW")
        try file.reopen()
        let before = try file.database.watch.look()
        try file.change("INSERT INTO cars VALUES ('Kia', 1)")
        #expect(try file.database.watch.lookForOthers() == before + 1)
        let change = ForeignChange(before: before, revision: before + 1)
        #expect(try file.othersTakenIn() == change)
    }

    @Test func anotherProgramsCommitBeforeAnEndIsNotForgotten() throws {
        let file = try WrittenDatabase(makes: "VW")
        let seen = try file.database.watch.look()
        try file.change("UPDATE cars SET make = 'Kia'")
        try file.reopen()
        let deletion = Change.delete([RowDeletion(rowID: 1, seen: seen)])
        #expect(try file.send(deletion).conflicts.map(\.theirs) == [.rowChanged])
        // Later ones are of revisions that may have been drawn before.
        let now = try file.database.watch.look()
        #expect(try file.send(.delete([RowDeletion(rowID: 1, seen: now)])).isApplied)
    }

    /// The lists have rows of before.
    @Test func anotherProgramsCommitBeforeTheFirstCommandIsReported() throws {
        let file = try WrittenDatabase()
        try file.reopenDatabase()
        let before = try file.database.watch.look()
        try file.change("INSERT INTO cars VALUES ('Kia', 1)")
        try file.reopenWriter()
        try file.send(.insert([.text("VW")]))
        let change = ForeignChange(before: before, revision: before + 1)
        #expect(file.batches.last?.foreignChange == change)
    }

    @Test func newRowsNeverTakeAnIDAgain() throws {
        let file = try WrittenDatabase(after: .insert([.text("a")], [.text("b")]), .delete(2))
        try file.reopen()
        #expect(try file.send(.insert([.text("c")])) == .applied(rowIDs: [3]))
        try file.change("INSERT INTO cars (rowid) VALUES (9223372036854775807)")
        #expect(try file.send(.insert([.text("d")])).refusal != nil)
    }

    @Test func aSecondOwnerIsToldWhoTheFirstIs() throws {
        let file = try WrittenDatabase()
        let error = #expect(throws: ValetError.self) {
            try Writer(of: file.database, address: "there")
        }
        #expect(error?.code == .readOnly && error?.message.contains("(test)") == true)
        #expect(Writer.refusal(for: file.database, besides: "test") == nil)
        #expect(Writer.refusal(for: file.database, besides: "there") == error)
        file.close()
        #expect(Writer.refusal(for: file.database, besides: "there") == nil)
        try file.reopen()
    }
}
