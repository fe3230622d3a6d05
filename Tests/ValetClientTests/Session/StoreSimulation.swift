import NIOCore
import TestSupport
import ValetModel
import ValetProtocol

@testable import ValetClient
@testable import ValetServer

/// Stations that edit one list, the server's sessions with them, and its real store, in one thread
/// of a seed: so are the networks, which lose what is under way, the clock, and the disk, which
/// loses power at any step.
struct StoreSimulation {
    struct Figures: Equatable {
        var outcomes = 0
        var givenUp = 0
        var windows = 0
        var cuts = 0
        var kills = 0
        var losses = 0
        var starts = 0
        /// Of all bytes that were sent, in both directions, and of those of the file at last.
        var hash: [UInt8] = []
    }

    /// What a station waits for.
    enum Asked {
        case list
        case catalog
        case writer
        case outcome(CommandOutbox.Ticket)
    }

    struct Station {
        let identity: ValetModel.Station
        var outbox = CommandOutbox()
        var names: [CommandOutbox.Ticket: CommandName] = [:]
        /// As it was first described.
        var list: ListDescription?
        var retryAt: Int64?
        var kept: KeptPages?
        var line: Line?
    }

    /// A connection, with what is under way on it.
    struct Line {
        let owner: WorkOwner
        var client: ClientSession
        var session = Session()
        var toServer: [ByteBuffer] = []
        var toClient: [ByteBuffer] = []
        var asked: [UInt32: Asked] = [:]
        var pages: [PageName: [ByteBuffer]] = [:]
        var shown: Window?
    }

    struct Job {
        let order: WriterOrder
        let station: Int
        let request: UInt32
        let shown: OutcomeShown
    }

    private static let view = ViewNumber(rawValue: 1)
    let file: SimulatedFile
    private var random: SeededNumbers
    var stations: [Station]
    var queue = CommandQueue<Job>()
    private var lines: UInt64 = 0
    /// Commands whose stations were told that they were not carried out.
    private var givenUp: Set<CommandName> = []
    var figures = Figures()

    /// - Throws: `SimulatedFile.Mistake` for what must not be.
    static func run(seed: UInt64, _ fault: SimulatedFile.Fault? = nil) throws -> Figures {
        var simulation = try StoreSimulation(seed: seed, fault)
        for _ in 0..<300 { try simulation.step() }
        try simulation.settle()
        return simulation.figures
    }

    private init(seed: UInt64, _ fault: SimulatedFile.Fault?) throws {
        random = SeededNumbers(seed: seed)
        file = try SimulatedFile(seed: seed, fault)
        stations = (1...3).map { number in
            let id = StationID(high: 0, low: UInt64(number))
            return Station(identity: ValetModel.Station(name: "station \(number)", id: id))
        }
        armDisk()
    }

    private mutating func chance(_ percent: Int) -> Bool { random.below(100) < percent }

    private mutating func fraction() -> Double { 0.5 + Double(random.below(500)) / 1_000 }

    private mutating func armDisk() {
        file.losePower(after: random.below([60, 300, 1_000][random.below(3)]))
    }

    func mistake(_ text: String) -> SimulatedFile.Mistake { SimulatedFile.Mistake(text: text) }

    // MARK: Steps

    private mutating func step() throws {
        file.time += Int64(random.below(40_000))
        let station = random.below(stations.count)
        if chance(25) { try submit(station) }
        if chance(60) { try deliverToServer(station, most: 1 + random.below(4)) }
        if chance(40) { try work(most: 1 + random.below(5)) }
        if chance(50) { try pump(station, most: 1 + random.below(6)) }
        if chance(60) { try deliverToClient(station, most: 1 + random.below(4)) }
        if chance(2) { try cut(station) }
        try retry(station)
        guard file.isOpen else {
            if chance(30) { try start() }
            return
        }
        if stations[station].line == nil, chance(30) { try connect(station) }
        guard chance(1) else { return }
        if chance(30) {
            try cutAll()
            file.stop()
        } else {
            try crash()
        }
    }

    private mutating func start() throws {
        armDisk()
        do {
            try file.start()
        } catch {
            if file.hasPower { throw error }
        }
        if !file.hasPower { try crash() }
    }

    mutating func crash() throws {
        try cutAll()
        queue = CommandQueue()
        let losesPower = chance(60)
        figures.kills += 1
        figures.losses += losesPower ? 1 : 0
        try file.crash(losesPower: losesPower)
    }

    /// Until all commands have their outcomes, and all windows show the newest rows.
    private mutating func settle() throws {
        for _ in 0..<40 {
            if !file.hasPower { try crash() }
            file.losePower(after: .max)
            if !file.isOpen { try file.start() }
            file.time += 1_000_000
            for station in stations.indices where file.isOpen {
                if stations[station].line == nil { try connect(station) }
                try retry(station)
                for _ in 0..<4 {
                    try deliverToServer(station, most: 100)
                    try work(most: 100)
                    try pump(station, most: 100)
                    try deliverToClient(station, most: 100)
                }
            }
        }
        for station in stations {
            guard station.outbox.count == 0 else {
                throw mistake("\(station.outbox.count) outcomes do not come")
            }
            guard let window = station.line?.shown else { throw mistake("there is no window") }
            try check(window, file.model.rows)
        }
        guard givenUp.isDisjoint(with: file.outcomes.keys) else {
            throw mistake("a command was carried out after all")
        }
        (figures.givenUp, figures.starts) = (givenUp.count, file.starts)
        try cutAll()
        file.stop()
        try file.start()
        file.stop()
        figures.hash = sha256(figures.hash + (try file.bytes()))
    }

    // MARK: Stations

    private mutating func submit(_ station: Int) throws {
        guard let list = stations[station].list, stations[station].outbox.count < 20 else { return }
        let changes = (0..<(chance(20) ? 3 : 1)).map { _ in file.model.change(&random) }
        try update(station) { outbox, actions in
            _ = try outbox.submitted(changes, list: list, &actions)
        }
    }

    private mutating func retry(_ station: Int) throws {
        guard let due = stations[station].retryAt, due <= file.time else { return }
        stations[station].retryAt = nil
        try update(station) { $0.retryDue(&$1) }
    }

    private mutating func update(
        _ station: Int, _ event: (inout CommandOutbox, inout [CommandOutbox.Action]) throws -> Void
    ) throws {
        var actions: [CommandOutbox.Action] = []
        try event(&stations[station].outbox, &actions)
        for action in actions {
            switch action {
            case .requestWriter:
                try ask(station, .writer) { .writerRequest(WriterRequest(request: $0)) }
            case .requestCatalog: try askCatalog(station, .catalog)
            case .send(let command, let epoch, let ticket):
                stations[station].names[ticket] = command.name
                try ask(station, .outcome(ticket)) {
                    .command(CommandRequest(request: $0, epoch: epoch, command: command))
                }
            case .complete(let ticket, let result): try completed(station, ticket, result)
            case .retry(let delay):
                let (seconds, attoseconds) = delay.components
                stations[station].retryAt =
                    file.time + seconds * 1_000_000 + attoseconds / 1_000_000_000_000
            }
        }
    }

    /// What a person is told is what became of the command, which is in the file.
    private mutating func completed(
        _ station: Int, _ ticket: CommandOutbox.Ticket, _ result: Result<Outcome, ValetError>
    ) throws {
        let name = stations[station].names.removeValue(forKey: ticket)
        let first = name.flatMap { file.outcomes[$0] }
        switch result {
        case .success(let outcome):
            // Long texts are cut on the way.
            guard let first, (outcome.revision, outcome.time) == (first.revision, first.time),
                CarModel.Expected(outcome.verdict) == CarModel.Expected(first.verdict)
            else { throw mistake("\(outcome) was told, not \(first, default: "nothing")") }
            figures.outcomes += 1
        case .failure(let error):
            // Without a note nobody knows whether other rows have these ids by now.
            guard error.code == .catalogChanged else { throw mistake("\(error)") }
            if let name { givenUp.insert(name) }
        }
    }

    private mutating func askCatalog(_ station: Int, _ asked: Asked) throws {
        try ask(station, asked) {
            .catalogRequest(CatalogRequest(request: $0, countsRows: false))
        }
    }

    private mutating func ask(
        _ station: Int, _ asked: Asked, _ make: (UInt32) -> ClientMessage
    ) throws {
        var actions: [ClientAction] = []
        let request = try stations[station].line?.client.ask(&actions) { request, _ in
            make(request)
        }
        if let request { stations[station].line?.asked[request] = asked }
        try run(actions, station)
    }

    private mutating func answered(
        _ station: Int, _ asked: Asked, _ result: Result<ValetClient.Reply, ValetError>
    ) throws {
        let random = fraction()
        switch (asked, result) {
        case (.list, .success(.catalog(let catalog, _))): stations[station].list = catalog.lists[0]
        case (.catalog, .success(.catalog(let catalog, _))):
            stations[station].list = catalog.lists[0]
            try update(station) { $0.catalogRead(catalog.lists, random: random, &$1) }
        case (.writer, .success(.writer(let writer))):
            try update(station) { $0.writerAssigned(writer, &$1) }
        case (.outcome(let ticket), .success(.outcome(let outcome))):
            try update(station) { $0.outcomeReceived(outcome, ticket, &$1) }
        case (.outcome(let ticket), .failure(let error)):
            try update(station) { $0.commandFailed(error, ticket, random: random, &$1) }
        case (_, let answer): throw mistake("\(answer) to \(asked)")
        }
    }

    // MARK: Connections

    private mutating func connect(_ station: Int) throws {
        lines += 1
        let credit = [20_000, 1 << 20][random.below(2)]
        var actions: [ClientAction] = []
        var client = ClientSession(
            hello: Hello(creditBytes: credit, station: stations[station].identity))
        client.connected(at: file.now, &actions)
        stations[station].line = Line(owner: WorkOwner(number: lines), client: client)
        try run(actions, station)
    }

    private mutating func welcomed(_ station: Int) throws {
        guard var client = stations[station].line?.client else { return }
        if let kept = stations[station].kept.take() { client.resume(with: kept) }
        var actions: [ClientAction] = []
        _ = try client.open(
            Self.view, list: "cars", columns: [], Query(grouping: "None"), &actions)
        let rows = 10 + random.below(90)
        let wish = ClientSession.WindowWish(
            anchor: .ordinal(random.below(200)), rowsBefore: random.below(10), rows: rows,
            answersPerSecond: UInt32(1 + random.below(30)))
        _ = try client.requestWindow(Self.view, wish, &actions)
        stations[station].line?.client = client
        try run(actions, station)
        if stations[station].list == nil { try askCatalog(station, .list) }
        try update(station) {
            $0.connected(waitingRequests: client.limits.waitingRequests, &$1)
        }
    }

    /// Some of what the server has sent may arrive still; the rest is lost.
    private mutating func cut(_ station: Int) throws {
        if chance(50) { try deliverToClient(station, most: random.below(6)) }
        guard var line = stations[station].line else { return }
        figures.cuts += 1
        stations[station].kept = line.client.takePages()
        stations[station].line = nil
        stations[station].outbox.disconnected()
        queue.removeAll(of: line.owner)
    }

    private mutating func cutAll() throws {
        for station in stations.indices { try cut(station) }
    }

    private mutating func deliverToClient(_ station: Int, most: Int) throws {
        for _ in 0..<most {
            guard stations[station].line?.toClient.isEmpty == false,
                let bytes = stations[station].line?.toClient.removeFirst(),
                let frame = try Self.frame(bytes, limit: Limits.bytesPerServerFrame),
                let message = try ServerMessage(frame: frame)
            else { return }
            var actions: [ClientAction] = []
            stations[station].line?.client.received(
                message, stream: frame.stream, byteCount: bytes.readableBytes, at: file.now,
                &actions)
            stations[station].line?.client.readCompleted(&actions)
            try run(actions, station)
        }
    }

    static func frame(_ bytes: ByteBuffer, limit: Int) throws -> Frame? {
        var bytes = bytes
        return try Frame(takingFrom: &bytes, payloadLimit: limit)
    }

    private mutating func run(_ actions: [ClientAction], _ station: Int) throws {
        for action in actions {
            switch action {
            case .send(let message, let stream):
                var frame = ByteBuffer()
                message.encode(stream: stream, into: &frame)
                figures.hash = sha256([1] + figures.hash + Array(buffer: frame))
                stations[station].line?.toServer.append(frame)
            case .welcome: try welcomed(station)
            case .complete(let request, let result):
                if let asked = stations[station].line?.asked.removeValue(forKey: request) {
                    try answered(station, asked, result)
                }
            case .deliver(.window(let window), _):
                guard window.isComplete else { continue }
                guard let rows = file.states[window.revision] else {
                    throw mistake("nobody may know of revision \(window.revision)")
                }
                try check(window, rows)
                figures.windows += 1
                stations[station].line?.shown = window
            case .close(let error): throw mistake("\(error)")
            case .pong, .deliver, .others, .node, .end: break
            }
        }
    }

    private func check(_ window: Window, _ rows: CarModel.Rows) throws {
        let ids = rows.keys.sorted().dropFirst(window.first).prefix(window.rows.count)
        let isRight = zip(window.rows, ids).allSatisfy { row, id in
            guard let row, row.id == id, let cells = rows[id] else { return false }
            return zip(row.cells, cells).allSatisfy { $0.mayBe($1) }
        }
        guard window.totalRows == rows.count, ids.count == window.rows.count, isRight else {
            throw mistake("a window of revision \(window.revision) has other rows")
        }
    }
}
