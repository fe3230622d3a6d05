import TestSupport
import Testing
import ValetArrangement
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Streams that are closed and used anew before their views' arrangements have come: each answer
/// finds its own view, and what nobody shows can be dropped.
@Suite(.timeLimit(.minutes(5))) struct ReusedStreamTests {
    /// Bytes of frames that shall reach the server as one piece.
    private struct Piece {
        var bytes: [UInt8] = []
        private var generation: UInt32 = 1
        private(set) var requests: UInt32 = 0

        mutating func open(_ grouping: String, stream: UInt16 = 1) {
            requests += 1
            let open = OpenView(
                request: requests, generation: 1, list: "cars", query: Query(grouping: grouping))
            bytes += RawClient.bytes(open, stream: stream)
        }

        mutating func rearrange(_ grouping: String, stream: UInt16) {
            requests += 1
            generation += 1
            let rearrange = RearrangeView(
                request: requests, generation: generation, query: Query(grouping: grouping))
            bytes += RawClient.bytes(rearrange, stream: stream)
        }

        mutating func close(stream: UInt16 = 1) {
            requests += 1
            bytes += RawClient.bytes(CloseView(request: requests), stream: stream)
        }
    }

    private func uses(_ server: TestServer) -> [ArrangementSpecification: Int] {
        server.server.shared.lists[0].keeper.arranged.uses
    }

    @Test(arguments: ["make", "model", "year"], [false, true])
    func aViewOnAStreamThatWasJustClosedGetsItsOwnRows(
        grouping: String, isKnown: Bool
    ) async throws {
        try await TestServer.serving(rows: 700) { server in
            let before = uses(server)
            let client = try await server.client()
            for known in ["make"] + (isKnown ? [grouping] : []) {
                #expect(await client.open(stream: 2, Query(grouping: known)) != nil)
                client.close(stream: 2)
                #expect(await client.untilPong().count == 1)
            }
            var piece = Piece()
            piece.open("make")
            piece.close()
            piece.open(grouping)
            client.send(piece.bytes)
            for _ in 0..<2 { _ = await client.next() }
            let opened = try await client.nextOpened()
            #expect(opened.request == piece.requests)
            #expect(opened.totalSections == ["make": 10, "model": 700, "year": 60][grouping])
            client.close()
            #expect(await client.untilPong().count == 1)
            #expect(uses(server) == before)
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func howeverViewsComeAndGoWhatTheyUsedIsGivenBack(seed: UInt64) async throws {
        try await TestServer.serving(rows: 600) { server in
            let before = uses(server)
            let client = try await server.client()
            let groupings = ["make", "model", "year"]
            var random = SeededNumbers(seed: seed)
            var piece = Piece()
            for _ in 0..<20 {
                for _ in 0..<60 {
                    let stream = UInt16(1 + random.below(3))
                    switch random.below(3) {
                    case 0: piece.open(groupings[random.below(3)], stream: stream)
                    case 1: piece.rearrange(groupings[random.below(3)], stream: stream)
                    default: piece.close(stream: stream)
                    }
                }
                client.send(piece.bytes)
                piece.bytes = []
            }
            for stream in 1...3 as ClosedRange<UInt16> { piece.close(stream: stream) }
            client.send(piece.bytes)
            #expect(await client.untilPong().count == Int(piece.requests))
            // Builds that were left at the last moment may still be answered.
            while uses(server) != before { _ = try await client.statistics() }
        }
    }
}
