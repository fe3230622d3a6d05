import TestSupport
import Testing

/// Rules 187 and 188: writers that have sent nothing, and outcomes that are not stored.
@Suite(.serialized, .offThePool) struct WriterRuleTests {
    private static let expired = 32
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
        let addition = insert([[(0, textCell("Zonda"))]])
        var writer: [UInt8] = []
        try await serve(path) { writer = $1 }
        try await serve(path) { client, _ in
            #expect(try client.outcome(of: command(writer: writer, addition)).rowIDs == [11])
            for minutes in [-24 * 60 - 1, 11] as [Int64] {
                client.ask(0x23, command(writer: made(minutes * Self.minute), addition))
                try client.expectError(Self.expired, request: client.lastRequest)
            }
            client.ask(0x23, command(writer: made(-23 * 60 * Self.minute), addition))
            #expect(try client.outcome().rowIDs == [12])
        }
    }

    @Test func p187AWriterThatWasForgottenIsNotTakenAnew() async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(10)
        let addition = insert([[(0, textCell("Zonda"))]])
        try await serve(path) { client, _ in
            _ = try client.outcome(of: command(writer: made(0), addition))
            client.ask(0x25, made(0))
            _ = try client.expect(0xA5)
        }
        // After a day, another writer's first command has it forgotten.
        let later = Self.now + 25 * 60 * Self.minute * 1_000
        try await serve(path, at: later) { client, writer in
            _ = try client.outcome(of: command(writer: writer, addition))
        }
        // The clock was wrong.
        try await serve(path) { client, _ in
            client.ask(0x23, command(writer: made(0), number: 2, group: 2, addition))
            try client.expectError(Self.expired, request: client.lastRequest)
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
