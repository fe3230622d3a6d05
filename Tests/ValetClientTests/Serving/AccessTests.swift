import TestSupport
import Testing
import ValetModel
import ValetSecurity
import ValetServer

@testable import ValetClient

/// What stations see and may do whose rights end at lists, rows and columns.
@Suite(.timeLimit(.minutes(5))) struct AccessTests {
    private let folder = TemporaryFolder()

    private func serve(
        as role: String = "attendant", _ body: (House) async throws -> Void
    ) async throws {
        try await House.serve(in: folder, as: role, body)
    }

    private func list(
        _ name: String, _ station: ValetStation
    ) async throws -> (ListDescription, ValetConnection) {
        let connection = try #require(station.connection)
        return (try await connection.catalog().catalog.list(named: name), connection)
    }

    @Test func aStationSeesItsListsColumnsAndRows() async throws {
        try await serve { house in
            let station = try await house.station("a")
            let connection = try #require(station.connection)
            let (catalog, counts) = try await connection.catalog()
            #expect(catalog.lists.map(\.name) == ["cars"] && counts == [100])
            #expect(catalog.leftOutCount == 0)
            let cars = catalog.lists[0]
            #expect(cars.columns.map(\.name) == ["id", "garage", "make", "plate", "washed"])
            #expect(cars.isEditable && cars.rowRules.allowsAdding)
            #expect(!cars.rowRules.allowsDeleting && cars.conditions.isEmpty)
            #expect(cars.columns.map(\.isEditable) == [false, true, true, false, true])
            let view = try await connection.openView(list: "cars", Query(grouping: "make"))
            #expect(view.summary.columns == [0, 1, 2, 3, 4])
            #expect(view.summary.groupingColumn == 2 && view.summary.totalRows == 100)
            let rows = try await view.allRows()
            #expect(Set(rows.map(\.id)) == Set((1...300).filter { $0 % 3 == 0 }))
            #expect(rows.allSatisfy { $0.cells.count == 5 && $0.cells[1] == .text("a") })
            #expect(try await view.window(at: .ordinal(0), rows: 5).listRows == 100)
            #expect(try await view.locate(1) == nil)
            #expect(try await view.locate(3) != nil)
            let detail = try await connection.detail(list: "cars", rowID: 3)
            #expect(
                detail.cells
                    == [.integer(3), .text("a"), .text("Make 3"), .text("P3"), .integer(1)])
            await station.close()
        }
    }

    @Test func whatIsHiddenHasNoName() async throws {
        try await serve { house in
            let station = try await house.station("a")
            let connection = try #require(station.connection)
            func refusal(_ body: () async throws -> some Any) async -> ValetError? {
                await failure(body)
            }
            func same(_ hidden: ValetError?, _ unknown: ValetError?, _ names: [String]) {
                var hidden = hidden
                for name in names {
                    let message = hidden?.message.replacing(name, with: "nothing")
                    hidden?.message = message ?? ""
                }
                #expect(hidden == unknown && hidden != nil)
            }
            same(
                await refusal { try await connection.openView(list: "staff") },
                await refusal { try await connection.openView(list: "nothing") }, ["staff"])
            for column in ["owner", "PRICE"] {
                func query(_ make: (String) -> Query) async {
                    same(
                        await refusal { try await connection.openView(list: "cars", make(column)) },
                        await refusal {
                            try await connection.openView(list: "cars", make("nothing"))
                        }, [column])
                }
                await query { Query(grouping: $0) }
                await query { Query(grouping: $0, expression: .firstLetter) }
                await query { Query(sort: [.init(column: $0)]) }
                await query {
                    Query(conditions: [
                        Condition(column: $0, .isMissing)
                    ])
                }
                same(
                    await refusal {
                        try await connection.openView(list: "cars", columns: [column])
                    },
                    await refusal {
                        try await connection.openView(list: "cars", columns: ["nothing"])
                    }, [column])
                same(
                    await refusal {
                        try await connection.wholeCell(list: "cars", rowID: 3, column: column)
                    },
                    await refusal {
                        try await connection.wholeCell(list: "cars", rowID: 3, column: "nothing")
                    }, [column])
            }
            // A search finds nothing in them.
            let found = try await connection.openView(
                list: "cars", Query(search: .init(text: "Owner")))
            #expect(found.summary.totalRows == 0)
            for rowID in [Int64(1), 1_000] {
                let error = await refusal {
                    try await connection.detail(list: "cars", rowID: rowID)
                }
                #expect(error?.message == "there is no row \(rowID)")
                let piece = await refusal {
                    try await connection.wholeCell(list: "cars", rowID: rowID, column: "make")
                }
                #expect(piece?.code == .unknownRow)
            }
            let statistics = await refusal { try await connection.statistics() }
            #expect(statistics?.code == .notAllowed)
            await station.close()
        }
    }

    @Test func changesEndWhereRightsEnd() async throws {
        try await serve { house in
            let station = try await house.station("a")
            let (cars, _) = try await list("cars", station)
            func verdict(_ change: Change) async throws -> Verdict {
                try await station.submit(change, list: cars).verdict
            }
            func update(_ row: Int64, _ column: Int, _ cell: Cell) -> Change {
                .update([
                    RowEdit(
                        rowID: row,
                        cells: [CellEdit(column: column, value: cell, seen: .anything)])
                ])
            }
            #expect(try await verdict(update(3, 2, .text("Zonda"))) == .applied(rowIDs: [3]))
            // Somebody else's row is no row.
            guard case .conflict(let conflicts) = try await verdict(update(1, 2, .text("Zonda")))
            else { throw Unexpected("no conflict") }
            #expect(conflicts.map(\.theirs) == [.rowDeleted])
            for change in [
                update(3, 3, .text("new plate")), update(3, 1, .text("b")),
                .insert([
                    [
                        ColumnValue(column: 1, value: .text("b")),
                        ColumnValue(column: 2, value: .text("Zonda")),
                    ]
                ]),
                .insert([
                    [
                        ColumnValue(column: 1, value: .text("a")),
                        ColumnValue(column: 3, value: .text("P999")),
                    ]
                ]),
            ] {
                guard case .refused = try await verdict(change) else {
                    Issue.record("\(change)")
                    continue
                }
            }
            let added = Change.insert([
                [
                    ColumnValue(column: 1, value: .text("a")),
                    ColumnValue(column: 2, value: .text("Zonda")),
                ]
            ])
            guard case .applied(let new) = try await verdict(added), new.count == 1 else {
                throw Unexpected("not applied")
            }
            let deleted = await failure { try await verdict(.delete([RowDeletion(rowID: 3)])) }
            #expect(deleted?.code == .notAllowed)
            let beyond = await failure { try await verdict(update(3, 5, .null)) }
            #expect(beyond?.code == .unknownColumn)
            // A query finds one's own rows.
            let all = Change.updateMatching(
                Query(), [ColumnValue(column: 2, value: .text("All"))])
            guard case .applied(let rowIDs) = try await verdict(all) else {
                throw Unexpected("not applied")
            }
            #expect(rowIDs.count == 101)
            #expect(
                try TemporaryFolder.number(
                    house.folder.file("test.db"), "SELECT count(*) FROM cars WHERE make = 'All'")
                    == 101)
            guard case .applied(let undone) = try await station.undo(in: cars).verdict else {
                throw Unexpected("not applied")
            }
            #expect(Set(undone) == Set(rowIDs))
            await station.close()
        }
    }

    @Test func theLogTellsOfWhatIsSeen() async throws {
        try await serve { house in
            let (station, office) = (
                try await house.station("a"), try await house.station("office")
            )
            let (all, _) = try await list("cars", office)
            #expect(all.columns.count == 7)
            let (cars, connection) = try await list("cars", station)
            #expect(cars.columns.count == 5)
            let feed = try await connection.follow("cars")
            func set(_ row: Int64, _ column: Int, _ cell: Cell) async throws {
                let edit = CellEdit(column: column, value: cell, seen: .anything)
                let outcome = try await office.update(
                    [RowEdit(rowID: row, cells: [edit])], in: all)
                #expect(outcome.verdict == .applied(rowIDs: [row]))
            }
            try await set(1, 3, .text("not seen"))
            try await set(3, 1, .text("not seen"))
            try await set(3, 3, .text("seen"))
            try await set(6, 2, .text("b"))
            try await set(1, 2, .text("a"))
            var entries: [LoggedChange] = []
            while entries.count < 3 { entries += try await feed.next() }
            let history = try await connection.history(of: "cars").changes
            #expect(history.reversed() == entries)
            #expect(entries.map { $0.effect?.rowID } == [3, 6, 1])
            #expect(entries.map { $0.effect?.kind } == [.updated, .deleted, .inserted])
            #expect(
                entries[0].effect?.cells
                    == [CellChange(column: 2, before: .text("Make 3"), after: .text("seen"))])
            #expect(entries[1].effect?.cells.map(\.column) == [1])
            #expect(try await connection.history(of: "cars", rowID: 6).changes.count == 1)
            await station.close()
            await office.close()
        }
    }

    @Test func othersAreSeenInRowsThatAreSeen() async throws {
        try await serve { house in
            let (station, office) = (
                try await house.station("a"), try await house.station("office")
            )
            let (news, told) = AsyncStream<StationPresence>.makeStream()
            // The list must be in memory, or nobody knows whose rows these are.
            _ = try await station.connection?.openView(list: "cars")
            station.onOthers { others in for other in others { told.yield(other) } }
            station.appear(Presence(list: "cars"))
            office.appear(Presence(list: "cars", rowID: 1))
            var isFirst = true
            for await other in news {
                #expect(other.station == "office/test")
                if other.presence.rowID == 3 { break }
                #expect(other.presence.rowID == nil)
                if isFirst { office.appear(Presence(list: "cars", rowID: 3)) }
                isFirst = false
            }
            await station.close()
            await office.close()
        }
    }

    @Test func rightsThatChangeHoldForTheNextAnswer() async throws {
        try await serve { house in
            let (station, office) = (
                try await house.station("a"), try await house.station("office")
            )
            let first = try #require(station.connection)
            let untouched = try #require(office.connection)
            #expect(try await first.openView(list: "cars").summary.totalRows == 100)
            // A slip changes nothing.
            house.folder.write(
                House.rules.replacing("garage =", with: "garaje ="), to: "access.yaml")
            let other = try await house.station("b")
            let revoked = try #require(other.connection)
            try house.folder.revoke("b")
            await revoked.closed()
            await other.close()
            #expect(try await first.openView(list: "cars").summary.totalRows == 100)
            house.folder.write(
                House.rules.replacing("garage = {principal}", with: "garage = b"), to: "access.yaml"
            )
            await first.closed()
            var rows = 0
            while rows != 200 {
                guard let connection = station.connection, connection !== first else { continue }
                rows = try await connection.openView(list: "cars").summary.totalRows
            }
            #expect(office.connection === untouched)
            await station.close()
            await office.close()
        }
    }

    @Test(arguments: ["attendant", "drop", "checker", "none"])
    func rightsAreThoseOfTheRole(role: String) async throws {
        try await serve(as: role) { house in
            let station = try await house.station("a")
            let connection = try #require(station.connection)
            guard role != "none" else {
                #expect(try await connection.catalog().catalog.lists.isEmpty)
                return await station.close()
            }
            let (cars, _) = try await list("cars", station)
            func isDone(_ change: Change) async -> Bool {
                let outcome = try? await station.submit(change, list: cars)
                if case .applied = outcome?.verdict { return true }
                return false
            }
            let garage = try cars.column(named: "garage")
            #expect(
                await isDone(.insert([[ColumnValue(column: garage, value: .text("a"))]]))
                    == (role != "checker"))
            let edit = CellEdit(column: garage, value: .text("a"), seen: .anything)
            #expect(
                await isDone(.update([RowEdit(rowID: 3, cells: [edit])])) == (role == "attendant"))
            #expect(await isDone(.delete([RowDeletion(rowID: 3)])) == (role == "checker"))
            await station.close()
        }
    }

    /// Who may only add takes back what it has added, and nothing of others.
    @Test func undoEndsWhereRightsEnd() async throws {
        try await serve(as: "drop") { house in
            let (station, office) = (
                try await house.station("a"), try await house.station("office")
            )
            let (cars, _) = try await list("cars", station)
            let (all, _) = try await list("cars", office)
            let make = try cars.column(named: "make")
            let row = [[ColumnValue(column: make, value: .text("Kia"))]]
            guard case .applied(let rowIDs) = try await station.insert(row, into: cars).verdict
            else { throw Unexpected("not added") }
            #expect(try await station.undo(in: cars).verdict == .applied(rowIDs: rowIDs))
            #expect(try await station.redo(in: cars).verdict == .applied(rowIDs: rowIDs))
            let edit = CellEdit(column: make, value: .text("BMW"), seen: .anything)
            _ = try await office.update([RowEdit(rowID: rowIDs[0], cells: [edit])], in: all)
            let undo = try await station.undo(in: cars)
            guard case .conflict = undo.verdict else { throw Unexpected("\(undo.verdict)") }
            let forced = try await station.forceUndo(step: try #require(undo.step), in: cars)
            guard case .refused = forced.verdict else { throw Unexpected("\(forced.verdict)") }
            #expect(
                try TemporaryFolder.number(
                    house.folder.file("test.db"), "SELECT count(*) FROM cars WHERE make = 'BMW'")
                    == 1)
            await station.close()
            await office.close()
        }
    }

    /// From one address, so many attempts in vain are answered at once.
    @Test func whoGoesOnTryingHasToWait() async throws {
        try await serve { house in
            let port = house.server.port
            func attempt() async -> ErrorCode? {
                await failure {
                    try await ValetConnection.connect(
                        host: "127.0.0.1", port: port, station: TestServer.station,
                        credential: .token(AccessToken()))
                }?.code
            }
            for _ in 0..<Limits.attemptsAtOnce { #expect(await attempt() == .unauthenticated) }
            #expect(await attempt() == .tooManyClients)
            // Others at the address need not know of each other.
            var station: ValetStation?
            while station == nil { station = try? await house.station("a") }
            for _ in 0..<3 { #expect(await attempt() == .unauthenticated) }
            await station?.close()
        }
    }
}
