import NIOCore
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

@Suite(.serialized, .timeLimit(.minutes(5))) struct ValetStationTests {
    /// Runs `body` with a station that connects to `server`, at once again when it must.
    private func write(
        to server: WritingServer, attempts: Int = .max, firstPause: Double = 0.001,
        _ body: (ValetStation) async throws -> Void
    ) async throws {
        let listener = try await ScriptedServer { server.answer($0) }
        do {
            let station = try await ValetStation.connect(
                backOff: BackOff(first: firstPause, most: attempts)
            ) { () throws(ValetError) in try await listener.connect() }
            try await body(station)
            await station.close()
        } catch {
            await listener.stop()
            throw error
        }
        await listener.stop()
    }

    private func delete(_ row: Int64, _ station: ValetStation) async throws -> Verdict {
        try await station.delete([RowDeletion(rowID: row)], from: .cars).verdict
    }

    @Test func commandsAreCarriedOutInOrderAndTheWriterSaysGoodbye() async throws {
        let server = WritingServer()
        try await write(to: server) { station in
            for row in 1...20 as ClosedRange<Int64> {
                let verdict = try await delete(row, station)
                #expect(verdict == .applied(rowIDs: [row]))
            }
        }
        #expect(server.deleted == Array(1...20))
        #expect(server.writers == 1)
        #expect(server.retired == [1])
    }

    @Test func aStationThatOnlyReadsIsNoWriter() async throws {
        let server = WritingServer()
        try await write(to: server) { _ in }
        #expect(server.writers == 0 && server.retired == [])
    }

    /// A connection is cut after a command was sent and before its answer comes, or before the
    /// command is carried out: a hundred times with each seed.
    @Test(arguments: runSeeds(4))
    func commandsThatAreDroppedOnTheWayAreCarriedOutOnceAndInOrder(seed: UInt64) async throws {
        let server = WritingServer(seed: seed, dropsBefore: 50, dropsAfter: 50)
        let cuts = Mutex(0)
        var rows: [Int64] = []
        try await write(to: server) { station in
            station.onNews { if case .disconnected = $0 { cuts.withLock { $0 += 1 } } }
            while cuts.withLock({ $0 }) < 100 {
                let more = (1...50).map { Int64(rows.count + $0) }
                rows += more
                for (row, result) in zip(more, await submit(more, station)) {
                    let verdict = try result.get().verdict
                    #expect(verdict == .applied(rowIDs: [row]), "VALET_SEED=\(seed)")
                }
            }
        }
        #expect(server.deleted == rows, "VALET_SEED=\(seed)")
    }

    @Test func aCommandThatABusyServerRefusesIsCarriedOutOnce() async throws {
        let server = WritingServer(seed: runSeed, dropsBefore: 20, dropsAfter: 20, refusals: 100)
        let rows = Array(1...200 as ClosedRange<Int64>)
        try await write(to: server) { station in
            for result in await submit(rows, station) { _ = try result.get() }
        }
        #expect(server.deleted.sorted() == rows, "VALET_SEED=\(runSeed)")
    }

    /// Submits the deletion of each row, without waiting in between.
    private func submit(
        _ rows: [Int64], _ station: ValetStation
    ) async -> [Result<Outcome, ValetError>] {
        await station.submit(rows.map { .delete([RowDeletion(rowID: $0)]) }, list: .cars)
    }

    @Test func aStationThatGivesUpSaysWhatIsNotKnown() async throws {
        try await write(to: WritingServer(dropsAfter: 1_000), attempts: 3) { station in
            let error = await failure {
                try await station.delete([RowDeletion(rowID: 1)], from: .cars)
            }
            #expect(error?.message == "dropped")
            #expect(await failure { try await station.undo(in: .cars) }?.message == "dropped")
        }
    }

    /// As a server does each time that another program gives the file other columns.
    @Test func aServerThatGoesAwayInOrderIsSoonTriedAgain() async throws {
        let listener = try await ScriptedServer { message in
            guard case .hello = message else { return [] }
            return [
                .welcome(Welcome(epoch: 7, server: "fake")),
                .goingAway(GoingAway(reason: "the file has other columns", seconds: 0)),
                .error(ErrorAnswer(request: 0, error: ValetError(.shuttingDown, "other columns"))),
            ]
        }
        let station = try await ValetStation.connect(
            backOff: BackOff(first: 0.001)
        ) { () throws(ValetError) in try await listener.connect() }
        let (stream, ends) = AsyncStream<Bool>.makeStream()
        station.onNews { if case .disconnected = $0 { ends.yield(true) } }
        var heard = stream.makeAsyncIterator()
        // With pauses that double this takes longer than the suite may.
        for _ in 1...30 { #expect(await heard.next() == true) }
        await station.close()
        await listener.stop()
    }

    @Test func aServerThatSaysWhenIsNotTriedBefore() async throws {
        let server = WritingServer()
        let listener = try await ScriptedServer { server.answer($0) }
        let full = ValetError(.tooManyClients, "full", retryAfter: .milliseconds(200))
        let tries = Mutex<[NIODeadline]>([])
        let station = try await ValetStation.connect(
            backOff: BackOff(first: 0.001)
        ) { () throws(ValetError) in
            let number = tries.withLock { tries in
                tries.append(.now())
                return tries.count
            }
            if number == 2 { throw full }
            return try await listener.connect()
        }
        let (stream, connections) = AsyncStream<Void>.makeStream()
        station.onNews { if case .connected = $0 { connections.yield() } }
        var connected = stream.makeAsyncIterator()
        await connected.next()
        await station.connection?.close()
        await connected.next()
        let times = tries.withLock { $0 }
        #expect(times.count == 3 && times[2] - times[1] >= .milliseconds(200))
        await station.close()
        await listener.stop()
    }

    @Test func newsComeOfTheConnection() async throws {
        let server = WritingServer(dropsAfter: 1_000)
        try await write(to: server, attempts: 2) { station in
            let (stream, news) = AsyncStream<String>.makeStream()
            station.onNews { piece in
                switch piece {
                case .connecting: news.yield("connecting")
                case .connected: news.yield("connected")
                case .disconnected(let error): news.yield("disconnected: \(error.message)")
                case .failed: news.yield("failed")
                }
            }
            _ = await failure { try await station.undo(in: .cars) }
            news.finish()
            let heard = await stream.reduce(into: []) { $0.append($1) }
            let once = ["connected", "disconnected: dropped"]
            #expect(heard == once + ["connecting"] + once + ["connecting"] + once)
            #expect(station.connection == nil)
        }
    }

    @Test func connectingNowWaitsForNoPause() async throws {
        let server = WritingServer(dropsAfter: 1_000)
        try await write(to: server, firstPause: BackOff.longest) { station in
            let (news, yieldNews) = AsyncStream<ValetStation.News>.makeStream()
            station.onNews { yieldNews.yield($0) }
            station.submit([.undo], list: .cars) { _, _ in }
            let start = ContinuousClock.now
            var connections = 0
            for await piece in news {
                switch piece {
                case .connected: connections += 1
                case .disconnected: station.connectNow()
                case .connecting, .failed: break
                }
                if connections == 4 { break }
            }
            // Chance shortens a pause to its half at most.
            #expect(ContinuousClock.now - start < .seconds(BackOff.longest / 2))
        }
    }

    @Test func aCommandThatIsTooLongFailsAlone() async throws {
        let server = WritingServer()
        try await write(to: server) { station in
            let text = String(repeating: "x", count: Limits.bytesPerClientFrame)
            let error = await failure {
                try await station.insert(
                    [[ColumnValue(column: 0, value: .text(text))]], into: .cars)
            }
            #expect(error?.code == .limitExceeded)
            let verdict = try await delete(1, station)
            #expect(verdict == .applied(rowIDs: [1]))
        }
    }

    @Test func aStationThatIsClosedSubmitsNothing() async throws {
        let server = WritingServer()
        try await write(to: server) { station in
            await station.close()
            let error = await failure { try await station.undo(in: .cars) }
            #expect(error?.message == "the station was closed")
        }
    }
}
