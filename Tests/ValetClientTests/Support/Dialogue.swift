import NIOCore
import ValetModel
import ValetProtocol

@testable import ValetClient

/// A client's session without a network; the test is its server, and its clock.
struct Dialogue {
    var session: ClientSession
    var now = NIODeadline.uptimeNanoseconds(1)

    static let hello = Hello(
        creditBytes: 1 << 20, station: Station(name: "test", id: StationID(high: 1, low: 2)))

    /// A server that has said welcome.
    init(_ adjust: (inout Welcome) -> Void = { _ in }) {
        self.init(hello: Self.hello)
        var welcome = Welcome(epoch: 7, server: "fake")
        adjust(&welcome)
        _ = say(.welcome(welcome))
    }

    /// With a view of the cars on stream 1.
    static func opened() throws -> Dialogue {
        var dialogue = Dialogue()
        try dialogue.open()
        return dialogue
    }

    /// With the catalog of the list of cars.
    static func withCatalog() throws -> Dialogue {
        var dialogue = Dialogue()
        let request = try dialogue.askCatalog().request
        _ = dialogue.say(.catalogAnswer(Cars.catalog(request)))
        return dialogue
    }

    init(hello: Hello) {
        session = ClientSession(hello: hello)
        var actions: [ClientAction] = []
        session.connected(at: now, &actions)
    }

    /// The server says something.
    mutating func say(
        _ message: ServerMessage, stream: UInt16 = 0, byteCount: Int = 100
    ) -> [ClientAction] {
        hear { session, now, actions in
            session.received(message, stream: stream, byteCount: byteCount, at: now, &actions)
        }
    }

    mutating func hear(
        _ event: (inout ClientSession, NIODeadline, inout [ClientAction]) throws -> Void
    ) rethrows -> [ClientAction] {
        var actions: [ClientAction] = []
        try event(&session, now, &actions)
        return actions
    }

    mutating func ask(view: UInt64? = nil, _ make: Asking.Make) throws -> [ClientAction] {
        try hear { session, _, actions in
            _ = try session.ask(view: view.map(ViewNumber.init(rawValue:)), &actions, make)
        }
    }

    mutating func askCatalog() throws -> [ClientAction] { try ask(Asking.catalog) }

    mutating func askDetail(list: String = "cars", rowID: Int64 = 1) throws -> [ClientAction] {
        try ask(Asking.detail(list: list, rowID: rowID))
    }

    mutating func ask(_ command: Command) throws -> [ClientAction] {
        try ask { request, _ in
            .command(CommandRequest(request: request, epoch: 7, command: command))
        }
    }

    mutating func askOpen(
        _ number: UInt64 = 1, list: String = "cars", columns: [String] = []
    ) throws -> [ClientAction] {
        try hear { session, _, actions in
            _ = try session.open(
                ViewNumber(rawValue: number), list: list, columns: columns, Query(), &actions)
        }
    }

    mutating func rearrange(_ number: UInt64 = 1) throws -> [ClientAction] {
        try hear { session, _, actions in
            _ = try session.rearrange(ViewNumber(rawValue: number), Query(), &actions)
        }
    }

    mutating func close(_ number: UInt64 = 1) throws -> [ClientAction] {
        try hear { session, _, actions in
            _ = try session.close(ViewNumber(rawValue: number), &actions)
        }
    }

    mutating func askWindow(
        _ number: UInt64 = 1, at anchor: Anchor = .ordinal(0), before: Int = 0, rows: Int = 20,
        wantsParts: Bool = true
    ) throws -> [ClientAction] {
        try hear { session, _, actions in
            _ = try session.requestWindow(
                ViewNumber(rawValue: number),
                ClientSession.WindowWish(
                    anchor: anchor, rowsBefore: before, rows: rows, wantsParts: wantsParts),
                &actions)
        }
    }

    /// Opens a view of the cars on the lowest stream that is free.
    mutating func open(_ number: UInt64 = 1) throws {
        let (request, stream) = try askOpen(number).sent
        _ = say(.viewOpened(Cars.opened(request)), stream: stream)
    }

    /// A page of ten cars, by the number of its first row over ten.
    mutating func sayPage(_ name: Int, rows: Int = 10, columns: Int = 2) -> [ClientAction] {
        var actions: [ClientAction] = []
        for frame in Cars.page(name, rows: rows, columns: columns) {
            actions += say(.page(frame))
        }
        return actions
    }
}

extension [ClientAction] {
    var sentMessages: [ClientMessage] {
        compactMap { if case .send(let message, _) = $0 { message } else { nil } }
    }

    /// The request that was sent, and its stream.
    var sent: (request: UInt32, stream: UInt16) {
        get throws {
            for case .send(let message, let stream) in self {
                if let request = message.request { return (request, stream) }
            }
            throw ValetError(.unexpected, "nothing was asked")
        }
    }

    var request: UInt32 { get throws { try sent.request } }

    var window: WindowRequest {
        get throws {
            for case .windowRequest(let request) in sentMessages { return request }
            throw ValetError(.unexpected, "no window was asked for")
        }
    }

    /// Why the connection is closed.
    var reason: ValetError? {
        if case .close(let error) = last { error } else { nil }
    }

    /// Each delivered window as how many rows it has, or the error in its place.
    var windows: [Result<Int, ValetError>] {
        compactMap { action in
            switch action {
            case .deliver(.window(let window), _): .success(window.rows.count { $0 != nil })
            case .deliver(.failed(let error), _): .failure(error)
            case .deliver, .send, .welcome, .complete, .pong, .others, .node, .end, .close: nil
            }
        }
    }
}

extension ClientMessage {
    /// The number of a request.
    var request: UInt32? { Swift.Mirror(reflecting: self).descendant(0, "request") as? UInt32 }
}
