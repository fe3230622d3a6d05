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
    init(_ welcome: Welcome = Welcome(epoch: 7, server: "fake")) {
        self.init(hello: Self.hello)
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
        try dialogue.readCatalog()
        return dialogue
    }

    init(hello: Hello) {
        session = ClientSession(hello: hello)
        var actions: [ClientAction] = []
        session.connected(at: now, &actions)
    }

    /// The server says something.
    mutating func say(_ message: ServerMessage, stream: UInt16 = 0) -> [ClientAction] {
        hear { session, now, actions in
            session.received(message, stream: stream, byteCount: 100, at: now, &actions)
        }
    }

    mutating func hear(
        _ event: (inout ClientSession, NIODeadline, inout [ClientAction]) throws -> Void
    ) rethrows -> [ClientAction] {
        var actions: [ClientAction] = []
        try event(&session, now, &actions)
        return actions
    }

    mutating func ask(
        view: UInt64? = nil, _ make: (UInt32, UInt32) -> ClientMessage
    ) throws -> [ClientAction] {
        try hear { session, _, actions in
            _ = try session.ask(view: view.map(ViewNumber.init(rawValue:)), &actions, make)
        }
    }

    mutating func askCatalog() throws -> [ClientAction] {
        try ask { request, _ in
            .catalogRequest(CatalogRequest(request: request, countsRows: false))
        }
    }

    mutating func askDetail(list: String = "cars", rowID: Int64 = 1) throws -> [ClientAction] {
        try ask { request, _ in
            .detailRequest(DetailRequest(request: request, list: list, rowID: rowID))
        }
    }

    mutating func askPiece(offset: Int) throws -> [ClientAction] {
        try ask { request, _ in
            .pieceRequest(
                PieceRequest(
                    request: request, list: "cars", rowID: 1, column: "make", offset: offset))
        }
    }

    mutating func askIndex(view: UInt64 = 1, most: Int = 10) throws -> [ClientAction] {
        try ask(view: view) { request, generation in
            .indexRequest(IndexRequest(request: request, generation: generation, mostTitles: most))
        }
    }

    mutating func askSections(
        view: UInt64 = 1, _ start: SectionsRequest.Start = .ordinal(0), most: Int = 10,
        order: SectionsRequest.Order = .inPlace
    ) throws -> [ClientAction] {
        try ask(view: view) { request, generation in
            .sectionsRequest(
                SectionsRequest(
                    request: request, generation: generation, start: start, mostSections: most,
                    order: order))
        }
    }

    mutating func askAggregates(view: UInt64 = 1, sections: [Int]) throws -> [ClientAction] {
        try ask(view: view) { request, generation in
            .aggregatesRequest(
                AggregatesRequest(
                    request: request, generation: generation,
                    measures: [Measure(column: "year", function: .sum)], wantsAllRows: true,
                    sections: sections))
        }
    }

    mutating func ask(_ command: Command) throws -> [ClientAction] {
        try ask { request, _ in
            .command(CommandRequest(request: request, epoch: 7, command: command))
        }
    }

    mutating func askLocate(view: UInt64 = 1) throws -> [ClientAction] {
        try ask(view: view) { request, generation in
            .locateRequest(LocateRequest(request: request, generation: generation, rowID: 5))
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

    /// Reads the catalog of the list of cars.
    mutating func readCatalog(_ list: ListDescription = Cars.list) throws {
        let request = try askCatalog().request
        let entry = CatalogAnswer.Entry(list: list, rowCount: nil)
        _ = say(.catalogAnswer(CatalogAnswer(request: request, total: 1, ordinal: 0, entry: entry)))
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
            case .deliver, .send, .welcome, .complete, .pong, .others, .end, .close: nil
            }
        }
    }
}

extension ClientMessage {
    var request: UInt32? {
        switch self {
        case .hello, .credit, .ping, .presence, .cancelRefresh: nil
        case .catalogRequest(let message): message.request
        case .openView(let message): message.request
        case .rearrangeView(let message): message.request
        case .closeView(let message): message.request
        case .windowRequest(let message): message.request
        case .indexRequest(let message): message.request
        case .sectionsRequest(let message): message.request
        case .locateRequest(let message): message.request
        case .aggregatesRequest(let message): message.request
        case .detailRequest(let message): message.request
        case .pieceRequest(let message): message.request
        case .statisticsRequest(let message): message.request
        case .writerRequest(let message): message.request
        case .command(let message): message.request
        case .retireWriter(let message): message.request
        case .historyRequest(let message): message.request
        case .follow(let message): message.request
        case .unfollow(let message): message.request
        case .refresh(let message): message.request
        }
    }
}
