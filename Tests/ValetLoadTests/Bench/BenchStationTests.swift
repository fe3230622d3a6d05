import NIOCore
import NIOEmbedded
import Testing
import ValetModel

@testable import ValetLoad
@testable import ValetProtocol

/// A station whose views ask without pause, and the server that a test plays for it.
private struct LoadingStation {
    let handler = BenchStationHandler(
        Hello(
            creditBytes: 1 << 20,
            station: Station(name: "load", id: StationID(high: 2, low: 1))))
    let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handler: handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// The frames that it has sent.
    func sent() throws -> [Frame] {
        var frames: [Frame] = []
        while var bytes = try channel.readOutbound(as: ByteBuffer.self) {
            while let frame = try Frame(takingFrom: &bytes, payloadLimit: 1 << 16) {
                frames.append(frame)
            }
        }
        return frames
    }

    /// The window requests among them.
    func asked() throws -> [(stream: UInt16, request: WindowRequest)] {
        try sent().filter { $0.kind == FrameKind.windowRequest.rawValue }.map {
            ($0.stream, try WindowRequest(frame: $0))
        }
    }

    static func answer(_ request: UInt32, stream: UInt16, page: UInt64) -> ByteBuffer {
        var bytes = ByteBuffer()
        WindowAnswer(
            request: request, generation: 1, revision: 0, totalRows: 64, totalSections: 1,
            anchor: 0, first: 0, rows: 50, runs: [],
            pages: [PagePlace(name: PageName(rawValue: page), first: 0, rows: 64)]
        ).encode(stream: stream, into: &bytes)
        return bytes
    }

    /// A page in two parts.
    static func parts(_ page: UInt64) -> [ByteBuffer] {
        ["abc", "de"].enumerated().map { index, part in
            var bytes = ByteBuffer()
            let sizes = PageFrame.Sizes(rawBytes: 5, encodedBytes: 5, isCompressed: false)
            PageFrame(
                name: PageName(rawValue: page), sizes: index == 0 ? sizes : nil,
                part: ByteBuffer(string: part)
            ).encode(into: &bytes)
            return bytes
        }
    }
}

@Test(arguments: [1, 3, 8, 150, 10_000])
func aLoadingStationAsksOnWhenAllOfItsWindowIsHere(pieceLength: Int) throws {
    let station = try LoadingStation()
    station.handler.load(1, [100, 200], "make")
    let first = try #require(try station.asked().first)
    #expect(first.request.anchor == .ordinal(200) && first.request.held.isEmpty)
    var bytes = LoadingStation.answer(first.request.request, stream: 1, page: 7)
    for part in LoadingStation.parts(7) + LoadingStation.parts(8) {
        #expect(try station.asked().isEmpty)
        bytes.writeImmutableBuffer(part)
        while let piece = bytes.readSlice(length: min(pieceLength, max(1, bytes.readableBytes))) {
            try station.channel.writeInbound(piece)
        }
        bytes.clear()
        if part == LoadingStation.parts(7)[1] {
            #expect(try station.asked().map(\.request.anchor) == [.ordinal(100)])
        }
    }
    let figures = try station.handler.loadFigures()
    #expect(figures.latencies.count == 1 && figures.bytes > 0)
    _ = try station.channel.finish()
}

@Test func viewsOfALoadingStationAskAtPlacesOfTheirOwn() throws {
    for rows in [1_000, 40_149, 1_000_000] {
        let lanes = ServedBench.lanes(8, rows: rows, seed: 1, from: 0.06)
        let ranges = lanes.map { places in
            let last = (places.max() ?? 0) + BenchPlan.rowsPerWindow - 1
            return (places.min() ?? 0) / Limits.rowsPerLeaf...last / Limits.rowsPerLeaf
        }
        #expect(lanes.count == 8 && lanes.allSatisfy { $0.count == 25 })
        for (lane, next) in zip(ranges, ranges.dropFirst()) {
            #expect(lane.upperBound < next.lowerBound, "no two wait for the same page")
        }
    }
    let other = ServedBench.lanes(8, rows: 1_000_000, seed: 1, from: 0.8)
    #expect(other != ServedBench.lanes(8, rows: 1_000_000, seed: 1, from: 0.06))
    #expect(
        other.map { $0.sorted() }
            == ServedBench.lanes(8, rows: 1_000_000, seed: 1, from: 0.06).map { $0.sorted() })
}

@Test func aLoadingStationThatIsRefusedSaysSo() throws {
    let station = try LoadingStation()
    station.handler.load(1, [100], "make")
    var refusal = ByteBuffer()
    ErrorAnswer(request: 2, error: ValetError(.limitExceeded, "no")).encode(
        stream: 1, into: &refusal)
    try station.channel.writeInbound(refusal)
    #expect(throws: ValetError.self) { try station.handler.loadFigures() }
    #expect(!station.channel.isActive)
}

@Test(arguments: [FrameKind.error, .windowAnswer, .page])
func aBenchStationRefusesWhatIsMalformed(_ kind: FrameKind) throws {
    let station = try LoadingStation()
    station.handler.load(1, [100], "make")
    var bytes = ByteBuffer()
    Frame.write(kind: kind, stream: 1, into: &bytes) { $0.writeRepeatingByte(7, count: 100) }
    try station.channel.writeInbound(bytes)
    #expect(throws: ValetError.self) { try station.handler.loadFigures() }
}
