import NIOCore
import NIOEmbedded
import Testing
import ValetModel

@testable import ValetLoad
@testable import ValetProtocol

/// Two windows, the answers of which are an answer and a page.
private func requests() -> [LoadRequest] {
    [100, 200].map { place in
        var request = LoadRequest(place: place, rows: 50)
        request.frames = 2
        request.pages = [sevens]
        return request
    }
}

/// What `frames` makes of a page.
private let sevens = PageName(rawValue: 0x0707_0707_0707_0707)

private func frames(_ kinds: [FrameKind]) -> ByteBuffer {
    var bytes = ByteBuffer()
    for (number, kind) in kinds.enumerated() {
        Frame.write(kind: kind, stream: 1, into: &bytes) { payload in
            payload.writeRepeatingByte(7, count: number * 100)
        }
    }
    return bytes
}

@Test(arguments: [1, 3, 8, 150, 10_000])
func aClientAsksOnWhenAllIsHere(pieceLength: Int) throws {
    let channel = EmbeddedChannel(handler: LoadClient(requests(), first: 0))
    var bytes = frames([.welcome, .viewOpened, .windowAnswer, .page, .page, .pong, .windowAnswer])
    while let piece = bytes.readSlice(length: min(pieceLength, max(1, bytes.readableBytes))) {
        try channel.writeInbound(piece)
    }
    let asked = try (0..<3).map { _ in try channel.readOutbound(as: ByteBuffer.self) }
    #expect(asked == [0, 1, 0].map { requests()[$0].bytes[0] })
    #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
    _ = try channel.finish()
}

/// Pages come on no view's stream, so no two views may wait for the same one.
@Test func viewsOfAClientAskForDifferentPages() throws {
    let pages = [1, 1, 2].map { PageName(rawValue: $0) }
    let requests = pages.enumerated().map { place, page in
        var request = LoadRequest(place: 100 * place, rows: 50, views: 2)
        (request.frames, request.pages) = (2, [page])
        return request
    }
    let channel = EmbeddedChannel(handler: LoadClient(requests, first: 0))
    func come(_ kind: FrameKind, stream: UInt16, page: UInt64 = 0) throws {
        var bytes = ByteBuffer()
        Frame.write(kind: kind, stream: stream, into: &bytes) {
            $0.writeInteger(page, endianness: .little)
        }
        try channel.writeInbound(bytes)
    }
    try come(.viewOpened, stream: 1)
    try come(.viewOpened, stream: 2)
    try come(.windowAnswer, stream: 1)
    try come(.windowAnswer, stream: 2)
    try come(.page, stream: 0, page: 2)
    try come(.page, stream: 0, page: 1)
    let asked = try (0..<4).map { _ in try channel.readOutbound(as: ByteBuffer.self) }
    let (first, third) = (requests[0].bytes, requests[2].bytes)
    #expect(asked == [first[0], third[1], third[1], first[0]])
    _ = try channel.finish()
}

@Test func aClientThatIsRefusedSaysSo() throws {
    let client = LoadClient(requests(), first: 0)
    let channel = EmbeddedChannel(handler: client)
    try channel.writeInbound(frames([.viewOpened, .error]))
    #expect(throws: ValetError.self) { try client.count.figures() }
    #expect(!channel.isActive)
}

@Test func aProbeWaitsForEveryPageThatWasNamed() throws {
    let channel = EmbeddedChannel()
    let done = channel.eventLoop.makePromise(of: [LoadRequest].self)
    try channel.pipeline.syncOperations.addHandler(
        LoadProbe([LoadRequest(place: 0, rows: 50)], done: done))
    var bytes = frames([.viewOpened])
    WindowAnswer(
        request: 2, generation: 1, revision: 0, totalRows: 64, totalSections: 1, anchor: 0,
        first: 0, rows: 50, runs: [],
        pages: [PagePlace(name: PageName(rawValue: 5), first: 0, rows: 64)]
    ).encode(stream: 1, into: &bytes)
    let answerBytes = bytes.readableBytes - Frame.headerBytes
    try channel.writeInbound(bytes)
    var pageBytes = 0
    for (index, part) in ["abc", "de"].enumerated() {
        var page = ByteBuffer()
        let sizes = PageFrame.Sizes(rawBytes: 5, encodedBytes: 5, isCompressed: false)
        PageFrame(
            name: PageName(rawValue: 5), sizes: index == 0 ? sizes : nil,
            part: ByteBuffer(string: part)
        ).encode(into: &page)
        pageBytes += page.readableBytes
        try channel.writeInbound(page)
    }
    let request = try done.futureResult.wait()[0]
    #expect(request.frames == 3)
    #expect(request.pageBytes == pageBytes)
    #expect(request.byteCount == answerBytes + pageBytes)
}

@Test(arguments: [FrameKind.error, .windowAnswer, .page])
func aProbeRefusesWhatIsMalformed(_ kind: FrameKind) throws {
    let channel = EmbeddedChannel()
    let done = channel.eventLoop.makePromise(of: [LoadRequest].self)
    try channel.pipeline.syncOperations.addHandler(
        LoadProbe([LoadRequest(place: 0, rows: 50)], done: done))
    try channel.writeInbound(frames([.viewOpened, kind]))
    #expect(throws: ValetError.self) { try done.futureResult.wait() }
}

@Test func aProbeWhoseServerGoesEnds() throws {
    let channel = EmbeddedChannel()
    let done = channel.eventLoop.makePromise(of: [LoadRequest].self)
    try channel.pipeline.syncOperations.addHandler(
        LoadProbe([LoadRequest(place: 0, rows: 50)], done: done))
    channel.pipeline.fireChannelInactive()
    #expect(throws: ValetError.self) { try done.futureResult.wait() }
}
