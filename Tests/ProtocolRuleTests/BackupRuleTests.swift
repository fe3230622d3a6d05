import Foundation
import TestSupport
import Testing
import ValetClient
import ValetModel

/// Rules 247 and 248: copies of the file.
@Suite(.offThePool) struct BackupRuleTests {
    private static let size = 32 << 10

    private func take(_ client: RuleClient) throws -> (revision: UInt64, bytes: Int, hash: [UInt8])
    {
        var answer = try client.answer(0x35)
        return (try answer.varint(), try answer.count(), try answer.take(answer.count()))
    }

    /// nil if it is the one of the digest.
    private func block(
        _ number: Int, of bytes: Int, unless digest: [UInt8] = [], _ client: RuleClient
    ) throws -> [UInt8]? {
        var answer = try client.answer(0x37, varint(number) + varint(digest.count) + digest)
        let form = try answer.byte()
        if form == 0 {
            #expect(answer.rest.isEmpty)
            return nil
        }
        let block = try answer.take(answer.count())
        let length = min(Self.size, bytes - number * Self.size)
        return form == 1 ? block : try decompressed(block, length)
    }

    private func whole(_ bytes: Int, _ client: RuleClient) throws -> [UInt8] {
        try (0..<(bytes + Self.size - 1) / Self.size).flatMap {
            try #require(try block($0, of: bytes, client))
        }
    }

    @Test func p247ACopyIsOfOneMoment() async throws {
        let folder = TemporaryFolder()
        let addition = insert([[(0, textCell("Zonda"))]])
        try await serve(folder.cars(5_000), in: folder) { client, _ in
            let other = try client.another()
            let writer = try RuleWriter(other)
            for count in 0..<3 {
                let copy = try take(client)
                #expect(copy.revision == UInt64(count))
                // What is written from now on is not in it.
                #expect(try writer.outcome(of: addition, in: "cars").verdict == 0)
                let bytes = try whole(copy.bytes, client)
                #expect(bytes.count == copy.bytes && sha256(bytes) == copy.hash)
                let path = folder.write(bytes, to: "copy\(count).db")
                #expect(
                    try TemporaryFolder.number(path, "SELECT count(*) FROM cars")
                        == 5_000 + Int64(count))
                #expect(try TemporaryFolder.number(path, "PRAGMA freelist_count") == 0)
            }
            other.ask(0x37, varint(0) + varint(0))
            try other.expectError(5)
        }
        // Each takes as much room as the file.
        try await serveCars(10) { client in
            let holders = try (0..<4).map { _ in try client.another() }
            for holder in holders { _ = try take(holder) }
            client.ask(0x35)
            try client.expectError(34)
            // Another one in place of one's own.
            _ = try take(holders[0])
            holders[1].wire.closeWriting()
            var answer = 0x9B
            while answer == 0x9B {
                client.ask(0x35)
                answer = Int(try #require(try client.next()).kind)
            }
            #expect(answer == 0xB5)
            _ = try take(holders[2])
        }
        // Who may not see everything gets none of it.
        let access = folder.write(
            """
            roles:
              most: {cars: {may: [see, edit, administer], hidden: year}}
              all: {"*": {may: [see, administer]}}
            """, to: "access.yaml")
        let tokens = try ["writer", "most", "all", "administrator"].map {
            try folder.token(for: $0, [$0]).bytes
        }
        try await serve(folder.file("cars.db"), credit: nil, in: folder) {
            ($0.principalsPath, $0.accessPath) = (folder.principalsPath, access)
        } _: { client, _ in
            for (number, token) in tokens.enumerated() {
                let client = try client.another(
                    parameters: [varint(1) + varint(token.count) + token])
                if number < 2 {
                    client.ask(0x35)
                    try client.expectError(26)
                    client.ask(0x37, varint(0) + varint(0))
                    try client.expectError(5)
                } else {
                    _ = try take(client)
                }
            }
        }
    }

    @Test func p248ABlockIsSentToWhoDoesNotHaveIt() async throws {
        try await serveCars(5_000) { client in
            let copy = try take(client)
            let bytes = try whole(copy.bytes, client)
            let last = copy.bytes / Self.size
            #expect(last > 1 && bytes.count % Self.size != 0)
            for number in [0, last] {
                let known = Array(bytes[(number * Self.size)...].prefix(Self.size))
                var other = sha256(known)
                #expect(try block(number, of: copy.bytes, unless: other, client) == nil)
                other[31] ^= 1
                #expect(try block(number, of: copy.bytes, unless: other, client) == known)
            }
            for number in [last + 1, 1 << 40] {
                client.ask(0x37, varint(number) + varint(0))
                try client.expectError(4)
            }
            try client.expectAlive()
            // A digest of another length is none.
            client.ask(0x37, varint(0) + varint(31) + Array(repeating: 0, count: 31))
            try client.expectEnd(1)
        }
        // A block that is too long, or does not decompress.
        for block in [varint(5) + [1, 2, 3, 4, 5], varint(2) + [0xFF, 0xFF]] {
            for form: UInt8 in [1, 2] {
                try await FakeServer.run { wire in
                    _ = try wire.request(0x01)
                    wire.send(FakeServer.welcome())
                    var request = try wire.request(0x35)
                    let hash = varint(32) + Array(repeating: 0, count: 32)
                    let number = try varint(request.count())
                    wire.send(frame(0xB5, number + varint(0) + varint(4) + hash))
                    request = try wire.request(0x37)
                    wire.send(frame(0xB7, try varint(request.count()) + [form] + block))
                } client: { port in
                    let connection = try await ValetConnection.connect(
                        host: "127.0.0.1", port: port, station: FakeServer.station)
                    let backup = try await connection.makeBackup()
                    #expect(backup.byteCount == 4 && backup.blockCount == 1)
                    let error = await failure { try await connection.block(0, of: backup) }
                    #expect(error?.code == .malformed)
                    await connection.closed()
                }
            }
        }
    }
}
