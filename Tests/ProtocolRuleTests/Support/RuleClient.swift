import Testing

/// A client of a served database that asks in bytes.
final class RuleClient {
    let wire: Wire
    private let port: Int
    private(set) var lastRequest = 0
    private var collected: [UInt8]?

    init(port: Int) throws {
        self.port = port
        wire = try Wire(port: port)
    }

    /// Another client of the same server that has said hello.
    func another(
        credit: Int = 1 << 20, station: UInt64 = 2, parameters: [[UInt8]] = []
    ) throws -> RuleClient {
        let client = try RuleClient(port: port)
        try client.greet(credit: credit, station: station, parameters: parameters)
        return client
    }

    static func hello(
        lowest: Int = 1, highest: Int = 1, features: UInt64 = 0, credit: Int = 1 << 20,
        station: UInt64 = 2, name: String = "rules", parameters: [[UInt8]] = []
    ) -> [UInt8] {
        frame(
            0x01,
            [0x56, 0x41, 0x4C, 0x54] + varint(lowest) + varint(highest) + varint(features)
                + varint(credit) + u64(1) + u64(station) + text(name) + list(parameters))
    }

    /// A client of the next epoch, which the server begins when it has noticed a change.
    func ofNextEpoch(after old: UInt64) throws -> (client: RuleClient, epoch: UInt64) {
        while true {
            let client = try RuleClient(port: port)
            client.wire.send(RuleClient.hello())
            // While the file is opened again, a connection may end before its welcome.
            guard let frame = try client.next(), frame.kind == 0x81 else { continue }
            var welcome = frame.fields
            _ = (try welcome.count(), try welcome.varint())
            let epoch = try welcome.fixed(8)
            if epoch != old { return (client, epoch) }
        }
    }

    @discardableResult
    func greet(
        credit: Int = 1 << 20, station: UInt64 = 2, parameters: [[UInt8]] = []
    ) throws -> Fields {
        wire.send(RuleClient.hello(credit: credit, station: station, parameters: parameters))
        return try expect(0x81).fields
    }

    func send(_ kind: UInt8, flags: UInt8 = 0, stream: UInt16 = 0, _ payload: [UInt8]) {
        let bytes = frame(kind, flags: flags, stream: stream, payload)
        if collected == nil { wire.send(bytes) } else { collected? += bytes }
    }

    /// What `body` sends goes out in one piece: none of it is answered before the rest is read.
    func atOnce(_ body: () -> Void) {
        collected = []
        body()
        wire.send(collected ?? [])
        collected = nil
    }

    /// Sends a request under a fresh number.
    @discardableResult
    func ask(_ kind: UInt8, stream: UInt16 = 0, _ payload: [UInt8] = []) -> Int {
        lastRequest += 1
        send(kind, stream: stream, varint(lastRequest) + payload)
        return lastRequest
    }

    @discardableResult
    func askToRefresh(_ list: String = "albums") -> Int { ask(0x2D, text(list)) }

    /// The next frame, build progress left out: when it comes depends on how busy the machine is.
    func next() throws -> RawFrame? {
        while let frame = try wire.next() {
            if frame.kind != 0xA0 { return frame }
        }
        return nil
    }

    func expect(_ kind: UInt8, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> RawFrame
    {
        var frame = try #require(try next(), sourceLocation: sourceLocation)
        // Pages may come ahead of what is waited for.
        while frame.kind == 0x8B, kind != 0x8B {
            frame = try #require(try next(), sourceLocation: sourceLocation)
        }
        if frame.kind == 0x9B, kind != 0x9B {
            Issue.record("error \(try ErrorFrame(frame))", sourceLocation: sourceLocation)
        }
        try #require(frame.kind == kind, sourceLocation: sourceLocation)
        return frame
    }

    /// Sends a request and takes the fields behind the request's number from its answer.
    func answer(
        _ kind: UInt8, stream: UInt16 = 0, _ payload: [UInt8] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Fields {
        let request = ask(kind, stream: stream, payload)
        var fields = try expect(kind | 0x80, sourceLocation: sourceLocation).fields
        #expect(try fields.count() == request, sourceLocation: sourceLocation)
        return fields
    }

    /// Sends a request whose answer begins with the revision that it is of.
    func revision(_ kind: UInt8, stream: UInt16 = 0, _ payload: [UInt8]) throws -> UInt64 {
        var fields = try answer(kind, stream: stream, payload)
        return try fields.varint()
    }

    /// The next frame is an error with this code.
    @discardableResult
    func expectError(
        _ code: Int, request: Int? = nil, stream: UInt16? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ErrorFrame {
        let error = try ErrorFrame(try expect(0x9B, sourceLocation: sourceLocation))
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        #expect(error.request == request ?? error.request, sourceLocation: sourceLocation)
        #expect(error.stream == stream ?? error.stream, sourceLocation: sourceLocation)
        return error
    }

    /// The server says why, for request 0 on stream 0, and closes.
    func expectEnd(_ code: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try expectError(code, request: 0, stream: 0, sourceLocation: sourceLocation)
        #expect(try next() == nil, sourceLocation: sourceLocation)
    }

    /// Everything that comes before the pong to a ping sent now.
    func untilPong() throws -> [RawFrame] {
        send(0x19, u64(77))
        var frames: [RawFrame] = []
        while let frame = try next(), frame.kind != 0x97 { frames.append(frame) }
        return frames
    }

    /// The connection goes on.
    func expectAlive(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let others = try untilPong().filter { $0.kind != 0x8B }
        #expect(others == [], sourceLocation: sourceLocation)
    }

    // MARK: Views

    static func query(
        grouping: String? = nil, expression: [UInt8]? = nil, sort: [(String, Bool)] = [],
        search: String? = nil, scope: String? = nil, conditions: [[UInt8]] = []
    ) -> [UInt8] {
        optional(grouping.map(text)) + optional(expression)
            + list(sort.map { text($0.0) + [$0.1 ? 1 : 0] })
            + optional(search.map { text($0) + optional(scope.map(text)) }) + list(conditions)
    }

    @discardableResult
    func askToOpen(
        _ stream: UInt16 = 1, list name: String = "cars", columns: [String] = [],
        _ query: [UInt8] = RuleClient.query(), isPinned: Bool = false
    ) -> Int {
        ask(
            0x05, stream: stream,
            [1] + text(name) + list(columns.map(text)) + query + [isPinned ? 1 : 0])
    }

    @discardableResult
    func open(
        _ stream: UInt16 = 1, list name: String = "cars", columns: [String] = [],
        _ query: [UInt8] = RuleClient.query(), isPinned: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> OpenedFrame {
        askToOpen(stream, list: name, columns: columns, query, isPinned: isPinned)
        return try OpenedFrame(try expect(0x85, sourceLocation: sourceLocation))
    }

    func close(_ stream: UInt16) throws {
        ask(0x09, stream: stream)
        _ = try expect(0x87)
    }

    /// Sections of a view from a start on.
    func sections(
        _ stream: UInt16 = 1, generation: Int = 1, from start: [UInt8] = [0, 0], count: Int,
        byRows: Bool = false
    ) throws -> [SectionFrame] {
        ask(0x0F, stream: stream, varint(generation) + start + varint(count) + [byRows ? 1 : 0])
        return try SectionFrame.all(try expect(0x8F))
    }

    @discardableResult
    func askToRearrange(
        _ stream: UInt16 = 1, generation: Int, _ query: [UInt8] = RuleClient.query()
    ) -> Int {
        ask(0x07, stream: stream, varint(generation) + query)
    }

    @discardableResult
    func rearrange(
        _ stream: UInt16 = 1, generation: Int, _ query: [UInt8] = RuleClient.query()
    ) throws -> OpenedFrame {
        askToRearrange(stream, generation: generation, query)
        return try OpenedFrame(try expect(0x85))
    }

    @discardableResult
    func askWindow(
        _ stream: UInt16 = 1, generation: Int = 1, anchor: [UInt8] = [0, 0], before: Int = 0,
        rows: Int = 10, held: [UInt64] = [], perSecond: Int? = nil
    ) -> Int {
        ask(
            0x0B, stream: stream,
            varint(generation) + anchor + varint(before) + varint(rows) + signed(0)
                + varint(0) + [1] + list(held.map(u64)) + optional(perSecond.map { varint($0) }))
    }

    /// Asks for a window and reads its answer, which comes before its pages.
    @discardableResult
    func windowFrame(
        _ stream: UInt16 = 1, anchor: [UInt8] = [0, 0], rows: Int = 10, held: [UInt64] = []
    ) throws -> WindowFrame {
        askWindow(stream, anchor: anchor, rows: rows, held: held)
        return try WindowFrame(try expect(0x89))
    }

    /// Asks for a window and reads it with its pages, from the newest of its answers [P74].
    func window(
        _ stream: UInt16 = 1, generation: Int = 1, anchor: [UInt8] = [0, 0], before: Int = 0,
        rows: Int = 10, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (window: WindowFrame, pages: [UInt64: RawPage]) {
        askWindow(stream, generation: generation, anchor: anchor, before: before, rows: rows)
        let whole = try wholeWindow(mayComeAgain: true, sourceLocation: sourceLocation)
        return (whole.window, whole.pages)
    }
}

extension RuleClient {
    struct WholeWindow {
        var window: WindowFrame
        /// All pages that the answer names, by name.
        var pages: [UInt64: RawPage]
        /// Those that came with it.
        var fresh: Set<UInt64>
    }

    /// The next answer to a window, with all of its pages.
    func wholeWindow(
        held: [UInt64: RawPage] = [:], mayComeAgain: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> WholeWindow {
        var window = try WindowFrame(try expect(0x89, sourceLocation: sourceLocation))
        var pages = held.filter { page in window.pages.contains { $0.name == page.key } }
        var begun: [UInt64: PageParts] = [:]
        var fresh: Set<UInt64> = []
        while !window.pages.allSatisfy({ pages[$0.name] != nil }) {
            let frame = try #require(try next(), sourceLocation: sourceLocation)
            if frame.kind == 0x89, mayComeAgain {
                window = try WindowFrame(frame)
                continue
            }
            try #require(frame.kind == 0x8B, "\(frame)", sourceLocation: sourceLocation)
            let part = try PagePart(frame)
            send(0x17, varint(part.byteCount))
            guard let page = try PageParts.add(part, to: &begun) else { continue }
            pages[part.name] = page
            fresh.insert(part.name)
        }
        return WholeWindow(window: window, pages: pages, fresh: fresh)
    }
}
