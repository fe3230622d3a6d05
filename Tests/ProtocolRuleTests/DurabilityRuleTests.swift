import TestSupport
import Testing
import ValetClient
import ValetModel

/// Rules 83, 89 to 94, 187 and 188: when an outcome is true, what is no outcome, and which outcomes
/// and writers outlive the server.
@Suite(.serialized, .offThePool) struct DurabilityRuleTests {
    private static let (limitExceeded, storageFailed, expired, busy, outcomeUnknown) = (
        4, 22, 32, 34, 38
    )

    private let addition = insert([[(0, textCell("Zonda"))]])

    /// Serves ten cars on a disk to a client that has a writer. `added` is the writer's command of
    /// a number, which adds a car.
    private func serveTenCars(
        _ body: (
            _ client: RuleClient, _ file: ServedFile, FaultyDisk, _ added: (Int) -> [UInt8]
        ) throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let disk = FaultyDisk(folder)
        try await serveCars(10, in: folder) { client, file in
            let writer = try client.writer()
            try body(client, file, disk) { command(writer: writer, number: $0, addition) }
        }
    }

    @Test func p83AnOutcomeOutlivesALossOfPower() async throws {
        try await serveTenCars { client, file, disk, added in
            for number in 1...40 {
                let outcome = try client.outcome(of: added(number))
                // What is written and not synced may be lost.
                #expect(!disk.hasUnsyncedLog)
                #expect(try file.number("SELECT count(*) FROM cars") == Int64(10 + number))
                let newest = try file.number("SELECT max(revision) FROM _valet_log")
                #expect(UInt64(newest) == outcome.revision)
            }
        }
    }

    @Test func p89NobodyReadsOlderThanAnybodyWasTold() async throws {
        try await serveCars(200) { client in
            let reader = try client.another()
            try reader.open(1, RuleClient.query(grouping: "make"))
            _ = try reader.window()
            let writer = try RuleWriter(client)
            for number in 1...40 {
                let make = textCell("Zonda \(number)")
                let told = try writer.outcome(of: update(7, 0, make)).revision
                reader.atOnce {
                    reader.askWindow()
                    reader.ask(0x0D, stream: 1, varint(1) + varint(10))
                    reader.ask(0x0F, stream: 1, varint(1) + [0, 0] + varint(10) + [0])
                    reader.ask(0x11, stream: 1, varint(1) + signed(7))
                    reader.ask(0x13, text("cars") + signed(7))
                    reader.ask(0x27, text("cars") + [0, 0] + varint(1))
                }
                var kinds: Set<UInt8> = [0x89, 0x8D, 0x8F, 0x91, 0x93, 0xA7]
                while !kinds.isEmpty {
                    let frame = try #require(try reader.next())
                    guard frame.kind != 0x8B else { continue }
                    kinds.remove(frame.kind)
                    #expect(try revision(of: frame) >= told, "kind \(frame.kind)")
                    if frame.kind == 0x93 { #expect(frame.payload.firstRange(of: make) != nil) }
                }
                reader.send(0x17, varint(1 << 16))
                #expect(try client.another().open().revision >= told)
            }
        }
    }

    private func revision(of frame: RawFrame) throws -> UInt64 {
        var fields = frame.fields
        _ = try fields.count()
        // A window answer has the generation before it, a history answer entries.
        if frame.kind == 0x89 { _ = try fields.count() }
        if frame.kind == 0xA7 { #expect(try fields.count() == 1) }
        return try fields.varint()
    }

    /// On a list that nobody has opened, and while another program changes which rows are found.
    @Test func p163AQueryFindsTheRowsOfTheMoment() async throws {
        try await serveCars(10_006) { client, file in
            let writer = try client.writer()
            func send(_ number: Int, _ change: [UInt8]) throws -> OutcomeFrame {
                try client.outcome(of: command(writer: writer, number: number, change))
            }
            func ofYear(_ year: Int64) -> [UInt8] {
                RuleClient.query(conditions: [text("year") + [0] + list([integerCell(year)])])
            }
            let deletion = [5] + ofYear(77)
            try file.change("UPDATE cars SET year = 77 WHERE rowid IN (7, 9)")
            let first = try send(1, deletion)
            #expect(first.rowIDs.map(Set.init) == [7, 9], "nobody has opened the list")

            #expect(try client.open().rows == 10_004)
            try file.change(
                """
                UPDATE cars SET year = 78 WHERE rowid IN (11, 12);
                UPDATE cars SET year = 79 WHERE rowid = 12
                """)
            let setting = [4] + ofYear(78) + list([[2] + integerCell(80)])
            let second = try send(2, setting)
            #expect(second.rowIDs == [11])
            let years = "SELECT year FROM cars WHERE rowid IN (11, 12) ORDER BY rowid"
            #expect(try file.integers(years) == [80, 79])

            // Sent again they get what became of them, whatever they would find now.
            try file.change("UPDATE cars SET year = 78")
            #expect(try send(2, setting).isSame(as: second))
            #expect(try send(1, deletion).isSame(as: first))
        }
    }

    @Test func p91AQueryThatFindsTooManyRowsChangesNothing() async throws {
        try await serveCars(10_006) { client in
            let writer = try client.writer()
            try client.open()
            _ = try client.window()
            for change in [[5] + RuleClient.query(), [4] + RuleClient.query() + list([[2, 0]])] {
                let error = try client.expectError(
                    Self.limitExceeded, of: command(writer: writer, change))
                #expect(error.message.contains("10006"))
            }
            #expect(try client.window().window.totalRows == 10_006)
            let six = deletion((1...6).map { ($0, nil) })
            let first = try client.outcome(of: command(writer: writer, six))
            let rest = command(writer: writer, number: 2, [5] + RuleClient.query())
            let all = try client.outcome(of: rest)
            #expect(all.rowIDs?.count == 10_000 && all.revision == first.revision + 1)
        }
    }

    @Test func p92AnErrorIsNoOutcome() async throws {
        try await serveTenCars { client, file, disk, added in
            let first = try client.outcome(of: added(1))
            disk.fail(.full)
            let error = try client.expectError(Self.storageFailed, of: added(2))
            #expect(error.message.contains("the disk is full"))
            #expect(try client.open().rows == 11, "reading goes on")
            disk.fail(nil)
            try file.locking {
                try client.expectError(Self.busy, of: added(2))
                #expect(try client.window().window.totalRows == 11)
            }
            // It was no outcome: the same number is carried out now, and gets the next revision.
            let second = try client.outcome(of: added(2))
            #expect(second.rowIDs?.count == 1 && second.revision == first.revision + 1)
            #expect(try client.window().window.totalRows == 12)
        }
    }

    @Test func p167AWriterIsOfOneStation() async throws {
        try await serveCars(10) { client, file in
            let writer = try client.writer()
            func added(_ number: Int) -> [UInt8] {
                command(writer: writer, number: number, addition)
            }
            let first = try client.outcome(of: added(1))
            let stranger = try client.another(station: 3)
            for number in 1...2 { try stranger.expectError(Self.expired, of: added(number)) }
            try stranger.retire(writer)
            let retired = "SELECT count(*) FROM _valet_writers WHERE retired IS NOT NULL"
            #expect(try file.number(retired) == 0)
            // The same station, over another connection.
            let other = try client.another()
            #expect(try other.outcome(of: added(1)).isSame(as: first))
            #expect(try other.outcome(of: added(2)).rowIDs == [12])
        }
    }

    /// The log may have the commit, which a restart would find.
    @Test func p92ACommitThatCouldNotBeSyncedIsUnknown() async throws {
        try await serveTenCars { client, file, disk, added in
            let first = try client.outcome(of: added(1))
            disk.fail(.brokenSyncs)
            try client.expectError(Self.outcomeUnknown, of: added(2))
            disk.fail(nil)
            #expect(try client.outcome(of: added(2)).revision == first.revision + 1)
            #expect(try file.number("SELECT count(*) FROM cars") == 12)
        }
    }

    /// The client's side: the first sending may have been carried out.
    @Test func p92AnErrorIsOfOneSendingOnly() async throws {
        try await FakeServer.run { server in
            let first = try server.accept()
            try first.welcome()
            first.send(frame(0xA1, varint(try first.requestNumber(0x21)) + writerID(9)))
            _ = try first.request(0x23)
            first.closeWriting()
            let second = try server.accept()
            try second.welcome()
            for _ in 0..<2 {
                let request = try second.requestNumber(0x23)
                second.send(FakeServer.error(request, code: Self.storageFailed, "full", stream: 0))
            }
            try second.waitForTheEnd()
        } clients: { port in
            let station = try await FakeServer.connectStation(port)
            for message in ["full; the change may have been made or not", "full"] {
                let error = await failure { try await station.undo(in: .cars) }
                #expect(error?.message == message)
            }
            await station.close()
        }
    }

    @Test func p94TooMuchAtOnceIsBusy() async throws {
        try await serveTenCars { client, file, _, added in
            var numbers: [Int: Int] = [:]
            func send(_ number: Int) { numbers[client.ask(0x23, added(number))] = number }
            // While nothing can be written, all wait.
            try file.locking {
                client.atOnce { for number in 1...70 { send(number) } }
                for number in 65...70 {
                    let error = try client.expectError(Self.busy, stream: 0)
                    #expect(numbers.removeValue(forKey: error.request) == number)
                }
            }
            var applied = 0
            while !numbers.isEmpty {
                let frame = try #require(try client.next())
                // Those that have waited for the lock for too long.
                if frame.kind == 0x9B {
                    let error = try ErrorFrame(frame)
                    #expect(error.code == Self.busy)
                    numbers[error.request] = nil
                } else {
                    numbers[try OutcomeFrame(frame).request] = nil
                    applied += 1
                }
            }
            #expect(try client.open().rows == 10 + applied)
            #expect(try client.outcome(of: added(65)).rowIDs?.count == 1)
        }
    }

    private static let now: Int64 = 1_709_251_199_999_000
    private static let minute: Int64 = 60_000

    /// Serves a file again and again, to a client that has a writer.
    private func serve(
        _ path: String, at time: Int64 = now, _ body: (RuleClient, [UInt8]) throws -> Void
    ) async throws {
        try await ProtocolRuleTests.serve(path, { $0.clock = { time } }) { client, _ in
            try body(client, client.writerAfterARestart())
        }
    }

    private func made(_ milliseconds: Int64) -> [UInt8] {
        u64(UInt64(Self.now / 1_000 + milliseconds) << 16 | 5) + u64(7)
    }

    @Test func p187AWriterIsTakenAfterARestart() async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(10)
        var writer: [UInt8] = []
        try await serve(path) { writer = $1 }
        try await serve(path) { client, _ in
            #expect(try client.outcome(of: command(writer: writer, addition)).rowIDs == [11])
            for minutes in [-24 * 60 - 1, 11] as [Int64] {
                let unknown = command(writer: made(minutes * Self.minute), addition)
                try client.expectError(Self.expired, of: unknown)
            }
            let older = command(writer: made(-23 * 60 * Self.minute), addition)
            #expect(try client.outcome(of: older).rowIDs == [12])
        }
    }

    @Test func p187AWriterThatWasForgottenIsNotTakenAnew() async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(10)
        try await serve(path) { client, _ in
            _ = try client.outcome(of: command(writer: made(0), addition))
            _ = try client.answer(0x25, made(0))
        }
        // After a day, another writer's first command has it forgotten.
        let later = Self.now + 25 * 60 * Self.minute * 1_000
        try await serve(path, at: later) { client, writer in
            _ = try client.outcome(of: command(writer: writer, addition))
        }
        // The clock was wrong.
        try await serve(path) { client, _ in
            try client.expectError(
                Self.expired, of: command(writer: made(0), number: 2, addition))
            #expect(try client.outcome(of: command(writer: made(1), addition)).rowIDs == [13])
        }
    }

    @Test func p188WhatIsNotAppliedNeedNotBeStored() async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(10)
        let edit = update(1, 2, integerCell(4), seen: [1] + integerCell(5))
        var writer: [UInt8] = []
        try await serve(path) { client, made in
            writer = made
            let conflict = try client.outcome(of: command(writer: writer, edit))
            #expect(conflict.verdict == 1 && conflict.revision == 0)
            try TemporaryFolder.change(path, "UPDATE cars SET year = 5")
            #expect(try client.outcome(of: command(writer: writer, edit)).isSame(as: conflict))
            #expect(try TemporaryFolder.number(path, "SELECT count(*) FROM sqlite_schema") == 1)
        }
        try await serve(path) { client, _ in
            let applied = try client.outcome(of: command(writer: writer, edit))
            #expect(applied.rowIDs == [1])
        }
    }
}
