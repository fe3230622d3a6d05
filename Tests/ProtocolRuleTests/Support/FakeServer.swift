import Foundation
import TestSupport
import ValetClient
import ValetModel

/// A server of bytes, for the rules that clients keep: it takes one connection and does what its
/// script says.
struct FakeServer {
    private let listener: CInt
    let port: Int

    init() throws {
        let listener = BlockingSocket.make()
        let failed = BlockingSocket.withAddress(port: 0) { bind(listener, $0, $1) }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(listener, $0, &size)
            }
        }
        guard failed == 0, named == 0, listen(listener, 8) == 0 else {
            throw BlockingSocket.Failure(what: "can't listen")
        }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    func stop() { close(listener) }

    func accept() throws -> Wire {
        Wire(try BlockingSocket(descriptor: Foundation.accept(listener, nil, nil)))
    }

    static let station = Station(name: "rules", id: StationID(high: 1, low: 2))

    /// Runs clients beside the script of their server, which accepts their connections.
    static func run(
        accepting script: @escaping @Sendable (FakeServer) throws -> Void,
        clients: @Sendable (Int) async throws -> Void
    ) async throws {
        let server = try FakeServer()
        defer { server.stop() }
        async let served: Void = script(server)
        try await clients(server.port)
        try await served
    }

    /// Runs a client beside the script of its server, which then waits for the client to close.
    static func run(
        _ script: @escaping @Sendable (Wire) throws -> Void,
        client: @Sendable (Int) async throws -> Void
    ) async throws {
        try await run { server in
            let wire = try server.accept()
            try script(wire)
            try wire.waitForTheEnd()
        } clients: { port in
            try await client(port)
        }
    }

    /// Runs a connected client beside what its server says after its welcome.
    static func run(
        _ script: @escaping @Sendable (Wire) throws -> Void,
        connected client: @Sendable (ValetConnection) async throws -> Void
    ) async throws {
        try await run { wire in
            try wire.welcome()
            try script(wire)
        } client: { port in
            try await client(try await connect(port))
        }
    }

    /// Runs a client that has opened a view beside what its server says then.
    static func run(
        rows: Int, _ script: @escaping @Sendable (Wire) throws -> Void,
        view client: @Sendable (ValetView) async throws -> Void
    ) async throws {
        try await run { wire in
            try wire.openAView(rows: rows)
            try script(wire)
        } client: { port in
            try await client(try await openedView(port))
        }
    }

    static func openedView(_ port: Int) async throws -> ValetView {
        try await connect(port).openView(list: "list", columns: [], Query())
    }

    static func connectStation(_ port: Int) async throws -> ValetStation {
        try await ValetStation.connect { () throws(ValetError) in
            try await ValetConnection.connect(host: "127.0.0.1", port: port, station: station)
        }
    }

    static func connect(_ port: Int) async throws -> ValetConnection {
        try await ValetConnection.connect(host: "127.0.0.1", port: port, station: station)
    }

    // MARK: What servers say

    static func welcome(
        epoch: UInt64 = 7, views: Int = 64, rows: Int = 1_024, requests: Int = 64,
        silence: Int = 90, parameters: [[UInt8]] = []
    ) -> [UInt8] {
        frame(
            0x81,
            [1, 0] + u64(epoch) + text("fake") + varint(65_536) + varint(views) + varint(rows)
                + varint(requests) + varint(silence) + list(parameters))
    }

    /// One column, which is the only one of its list.
    static func opened(_ request: Int, rows: Int, epoch: UInt64 = 7, revision: Int = 1) -> [UInt8] {
        frame(
            0x85, stream: 1,
            varint(request) + [1] + u64(epoch) + varint(revision) + varint(rows) + [1]
                + text("None") + [0, 0, 0] + list([[0]]) + [3, 4])
    }

    /// A flat window from row 0 on, of which the pages hold at most 64 rows each.
    static func window(
        _ request: Int, rows: Int, of total: Int, pages: [UInt64], revision: Int = 1
    ) -> [UInt8] {
        let places = pages.enumerated().map { index, name in
            u64(name) + varint(64 * index) + varint(min(64, total - 64 * index))
        }
        let run = [0] + text("") + [0] + varint(total)
        return frame(
            0x89, stream: 1,
            varint(request) + [1] + varint(revision) + varint(total) + [1]
                + varint(total) + [0, 0, 0, 0] + varint(rows)
                + list(rows == 0 ? [] : [run]) + list(places) + [1, 2])
    }

    /// A raw page of one column of integers, row ids from 1 on.
    static func rawPage(rows: Int, step: Int64 = 5) -> [UInt8] {
        varint(rows) + [1] + (0..<rows).flatMap { _ in signed(1) } + [2]
            + (0..<rows).flatMap { _ in signed(step) }
    }

    static func page(_ name: UInt64, _ raw: [UInt8]) -> [UInt8] {
        frame(0x8B, u64(name) + varint(raw.count) + varint(raw.count) + raw)
    }

    static func error(
        _ request: Int, code: Int, _ message: String, stream: UInt16,
        waitingMilliseconds wait: Int = 0
    ) -> [UInt8] {
        let payload = varint(request) + varint(code) + text(message) + [0] + varint(wait)
        return frame(0x9B, stream: stream, payload)
    }
}

extension Wire {
    /// The next frame of a kind, pings and credit left out.
    func request(_ kind: UInt8) throws -> Fields {
        while let frame = try next() {
            if frame.kind == kind { return frame.fields }
            if frame.kind == 0x19 { send(Self.pong(frame)) }
            guard frame.kind == 0x19 || frame.kind == 0x17 else {
                throw BlockingSocket.Failure(what: "kind \(frame.kind) where \(kind) was expected")
            }
        }
        throw BlockingSocket.Failure(what: "the client has closed")
    }

    private static func pong(_ ping: RawFrame) -> [UInt8] {
        ProtocolRuleTests.frame(0x97, ping.payload)
    }

    /// The number of the next request, which is of this kind.
    func requestNumber(_ kind: UInt8) throws -> Int {
        var fields = try request(kind)
        return try fields.count()
    }

    func welcome(_ welcome: [UInt8] = FakeServer.welcome()) throws {
        _ = try request(0x01)
        send(welcome)
    }

    /// Says welcome and opens the view that the client asks for, on stream 1.
    func openAView(
        rows: Int, epoch: UInt64 = 7, revision: Int = 1, welcome: [UInt8]? = nil
    ) throws {
        try self.welcome(welcome ?? FakeServer.welcome(epoch: epoch))
        let request = try requestNumber(0x05)
        send(FakeServer.opened(request, rows: rows, epoch: epoch, revision: revision))
    }

    /// Answers the client's window, and sends these pages, each of 64 rows.
    @discardableResult
    func answerWindow(
        rows: Int, of total: Int = 200, pages: [UInt64], sending sent: [UInt64]? = nil
    ) throws -> (request: Int, held: [UInt64]) {
        let asked = try windowRequest()
        send(FakeServer.window(asked.request, rows: rows, of: total, pages: pages))
        sendPages(sent ?? pages)
        return asked
    }

    func sendPages(_ names: [UInt64]) {
        for name in names { send(FakeServer.page(name, FakeServer.rawPage(rows: 64))) }
    }

    /// The window that the client asks for: its request number and the pages that it lists.
    @discardableResult
    func windowRequest() throws -> (request: Int, held: [UInt64]) {
        var fields = try request(0x0B)
        let request = try fields.count()
        _ = try fields.varint()
        try fields.anchor()
        _ = (try fields.count(), try fields.count(), try fields.signed(), try fields.varint())
        _ = try fields.bool()
        let held = try fields.list { try $0.fixed(8) }
        _ = try fields.optional { try $0.count() }
        try fields.end()
        return (request, held)
    }

    /// Returns when the other side closes, whatever it says before.
    func waitForTheEnd() throws { while try next() != nil {} }
}

extension Fields {
    fileprivate mutating func anchor() throws {
        switch try byte() {
        case 0: _ = try count()
        case 1: _ = (try count(), try count())
        case 2: _ = try signed()
        case 3: _ = try fixed(4)
        case 5:
            _ = try list { (try $0.signed(), try $0.signed()) }
            try anchor()
        default: break
        }
    }
}
