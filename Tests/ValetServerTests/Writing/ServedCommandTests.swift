import Dispatch
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Commands of clients, from frame to outcome, on a served file.
@Suite(.timeLimit(.minutes(5))) struct ServedCommandTests {
    @Test func aClientReadsTheChangesOfAnother() async throws {
        let server = try await TestServer(cars: 100)
        let (writer, reader) = try await (server.client(), server.client())
        #expect(await reader.open()?.totalRows == 100)

        let name = try await writer.newWriter()
        let inserted = try await writer.carryOut(name, 1, Self.addition)
        #expect(inserted.verdict == .applied(rowIDs: [101]))
        let edited = try await writer.carryOut(name, 2, .set(7, 0, .text("Ariel")))
        #expect(edited.verdict == .applied(rowIDs: [7]))
        #expect(edited.revision == inserted.revision + 1)

        let window = try await reader.window(rows: 1)
        #expect(window.totalRows == 101)
        #expect(window.revision == edited.revision, "nobody reads older than anybody was told of")
        #expect(try await reader.detail(of: 7).contains(.text("Ariel")))

        let deleted = try await writer.carryOut(name, 3, .delete(7))
        #expect(deleted.verdict == .applied(rowIDs: [7]))
        #expect(try await reader.window(rows: 1).totalRows == 100)
        await server.server.stop()
    }

    /// What a commit does to the orders takes as long as it takes, on a thread of its own.
    @Test func windowsAreAnsweredWhileACommitIsBeingPublished() async throws {
        let server = try await TestServer(cars: 100)
        let (writer, reader) = try await (server.client(), server.client())
        #expect(await reader.open()?.totalRows == 100)
        let before = try await reader.window(rows: 1)
        let name = try await writer.newWriter()
        let gate = DispatchSemaphore(value: 0)
        server.server.shared.publisher.post { gate.wait() }
        writer.askCommand(name, 1, Self.addition)
        // Its own client is served, too; its outcome comes once everybody may see the row.
        #expect(await writer.untilPong().isEmpty)
        for _ in 0..<10 {
            let window = try await reader.window(rows: 1)
            #expect(window.totalRows == 100 && window.revision == before.revision)
            _ = try await reader.detail(of: 7)
        }
        gate.signal()
        let outcome = try await writer.outcome()
        #expect(outcome.verdict == .applied(rowIDs: [101]))
        let after = try await reader.window(rows: 1)
        #expect(after.totalRows == 101 && after.revision == outcome.revision)
        await server.server.stop()
    }

    @Test func allRowsThatMatchAreChangedByOneCommand() async throws {
        let server = try await TestServer(cars: 50)
        let client = try await server.client()
        let name = try await client.newWriter()
        let all = try #require(await client.open())
        let ariel = ColumnValue(column: 0, value: .text("Ariel"))
        let outcome = try await client.carryOut(name, 1, .updateMatching(Query(), [ariel]))
        guard case .applied(let rowIDs) = outcome.verdict else {
            throw ValetError(.unexpected, "\(outcome)")
        }
        #expect(rowIDs.count == all.totalRows)
        #expect(await client.open(stream: 2, Query(grouping: "make"))?.totalSections == 1)
        await server.server.stop()
    }

    @Test func theHistoryHasWhatCameBefore() async throws {
        let server = try await TestServer(cars: 10)
        let client = try await server.client()
        client.ask { HistoryRequest(request: $0, list: "cars", mostEntries: 256) }
        #expect(try await client.history() == History(changes: [], hasMore: false))
        let name = try await client.newWriter()
        var outcomes: [Outcome] = []
        for number in 1...3 as ClosedRange<UInt64> {
            let edit = Change.set(1, 2, .integer(Int64(number)))
            outcomes.append(try await client.carryOut(name, number, edit))
        }
        client.ask { HistoryRequest(request: $0, list: "cars", mostEntries: 2) }
        let page = try await client.history()
        #expect(page.hasMore)
        #expect(
            page.changes.map(\.position.revision) == [outcomes[2].revision, outcomes[1].revision])
        #expect(page.changes.map(\.command?.number) == [3, 2])
        #expect(page.changes.map(\.time) == [outcomes[2].time, outcomes[1].time])
        let last = try #require(page.changes.last)
        #expect(
            last.effect
                == RowEffect(
                    kind: .updated, rowID: 1,
                    cells: [CellChange(column: 2, before: .integer(1), after: .integer(2))]))
        client.ask {
            HistoryRequest(
                request: $0, list: "cars", rowID: 1, before: last.position, mostEntries: 2)
        }
        let rest = try await client.history()
        #expect(rest.changes.map(\.command?.number) == [1] && !rest.hasMore)
        await server.server.stop()
    }

    /// One takes no changes, and another process owns the file of the other.
    @Test func serversThatCannotWriteHaveAHistory() async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(10)
        let owner = try await TestServer(path)
        let readers = [
            try await TestServer(path) { $0.readOnlyReason = "test" }, try await TestServer(path),
        ]
        let writer = try await owner.client()
        let name = try await writer.newWriter()
        writer.askCommand(name, 1, .delete(4))
        let revision = try await writer.outcome().revision
        for server in readers {
            let client = try await server.client()
            client.ask { HistoryRequest(request: $0, list: "cars", mostEntries: 2) }
            let history = try await client.history()
            #expect(history.changes.map(\.position.revision) == [revision])
            #expect(history.changes.map(\.effect?.kind) == [.deleted] && !history.hasMore)
        }
        for server in [owner] + readers { await server.server.stop() }
    }

    @Test func listsOfAReadOnlyServerAreNotEditable() async throws {
        let server = try await TestServer(cars: 10) { $0.readOnlyReason = "test" }
        let client = try await server.client()
        for countsRows in [false, true] {
            let cars = try await client.cars(countsRows: countsRows)
            #expect(!cars.isEditable && cars.readOnlyReason == "test")
        }
        await server.server.stop()
    }

    @Test func listsOfAFileThatAnotherServerOwnsAreNotEditable() async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(10)
        let (first, second) = (try await TestServer(path), try await TestServer(path))
        let (owner, other) = (try await first.client(), try await second.client())
        #expect(try await other.cars().isEditable)
        _ = try await owner.newWriter()
        // The second server looks a few times a second.
        var cars = try await other.cars()
        while cars.isEditable { cars = try await other.cars() }
        let advice = "open “valet://127.0.0.1:\(first.port)” instead"
        #expect(cars.readOnlyReason?.contains(advice) == true)
        #expect(try await owner.cars().isEditable)
        let error = await #expect(throws: ValetError.self) { try await other.newWriter() }
        #expect(error?.code == .readOnly && error?.message == cars.readOnlyReason)
        await first.server.stop()
        while !cars.isEditable { cars = try await other.cars() }
        _ = try await other.newWriter()
        await second.server.stop()
    }

    private static let addition = Change.insert([.text("Zonda")])
}

extension RawClient {
    func newWriter() async throws -> WriterID {
        let request = ask { WriterRequest(request: $0) }
        return try await answer {
            if case .writerAnswer(let answer) = $0, answer.request == request {
                answer.writer
            } else {
                nil
            }
        }
    }

    /// The only list.
    func cars(countsRows: Bool = false) async throws -> ListDescription {
        ask { CatalogRequest(request: $0, countsRows: countsRows) }
        return try await answer {
            if case .catalogAnswer(let answer) = $0 { answer.entry?.list } else { nil }
        }
    }

    func askCommand(_ writer: WriterID, _ number: UInt64, _ change: Change) {
        ask {
            CommandRequest(
                request: $0, epoch: TestServer.epoch,
                command: Command(
                    name: CommandName(writer: writer, number: number), list: "cars",
                    change: change))
        }
    }

    func carryOut(_ writer: WriterID, _ number: UInt64, _ change: Change) async throws -> Outcome {
        askCommand(writer, number, change)
        return try await outcome()
    }

    func outcome() async throws -> Outcome {
        try await answer { if case .outcome(let answer) = $0 { answer.outcome } else { nil } }
    }

    func history() async throws -> History {
        let page: HistoryAnswer = try await answer {
            if case .historyAnswer(let answer) = $0 { answer } else { nil }
        }
        return History(changes: page.entries, hasMore: page.hasMore)
    }

    func window(rows: Int) async throws -> WindowAnswer {
        askWindow(rows: rows)
        return try await answer { if case .windowAnswer(let answer) = $0 { answer } else { nil } }
    }

    func detail(of rowID: Int64, list: String = "cars") async throws -> [Cell] {
        ask { DetailRequest(request: $0, list: list, rowID: rowID) }
        return try await answer {
            if case .detailAnswer(let answer) = $0 { answer.cells } else { nil }
        }
    }
}
