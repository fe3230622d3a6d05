import NIOCore
import TestSupport
import ValetModel
import ValetProtocol

@testable import ValetClient
@testable import ValetServer
@testable import ValetStore

/// The server's side.
extension StoreSimulation {
    mutating func deliverToServer(_ station: Int, most: Int) throws {
        for _ in 0..<most {
            guard file.isOpen, stations[station].line?.toServer.isEmpty == false,
                let bytes = stations[station].line?.toServer.removeFirst(),
                let frame = try Self.frame(bytes, limit: Limits.bytesPerClientFrame),
                let message = try ClientMessage(frame: frame)
            else { return }
            try change(station) {
                $0.received(message, stream: frame.stream, readAt: $1.now, $1)
            }
        }
    }

    /// Changes the server's session with a station, and does what it asks for.
    private mutating func change(
        _ station: Int, _ event: (inout Session, SimulatedFile) -> [SessionAction]
    ) throws {
        guard var session = stations[station].line?.session else { return }
        let actions = event(&session, file)
        stations[station].line?.session = session
        for action in actions { try run(action, station) }
    }

    private mutating func run(_ action: SessionAction, _ station: Int) throws {
        switch action {
        case .send(let message, let stream): send(message, stream: stream, to: station)
        case .sendPaid(let paid): send(paid.frame, to: station)
        case .sendCatalog(var feed):
            guard let catalog = stations[station].line?.session.catalog.description else { return }
            for _ in 0..<max(1, catalog.lists.count) {
                send(.catalogAnswer(feed.next(catalog).answer), stream: 0, to: station)
            }
        case .arrange(let order):
            try file.arrange(order.specification)
            try change(station) { $0.arranged(order, .success(Times()), $1) }
        case .command(let order, let shown, let request):
            guard let owner = stations[station].line?.owner else { return }
            let job = Job(order: order, station: station, request: request, shown: shown)
            queue.add(job, rows: 1, for: owner)
        case .close(let error): throw mistake("\(error)")
        case .abandon, .release, .countRows, .collectStatistics, .readDetail, .makeBackup,
            .readBlock, .readPiece, .enter, .readHistory, .appear, .beginFeed, .readFeed,
            .refresh, .cancelRefresh, .survey, .abandonSurvey, .unpin:
            break
        }
    }

    private mutating func send(_ message: ServerMessage, stream: UInt16, to station: Int) {
        var frame = ByteBuffer()
        message.encode(stream: stream, into: &frame)
        send(frame, to: station)
    }

    private mutating func send(_ frame: ByteBuffer, to station: Int) {
        figures.hash = sha256([0] + figures.hash + Array(buffer: frame))
        stations[station].line?.toClient.append(frame)
    }

    /// As the thread does it that writes.
    mutating func work(most: Int) throws {
        guard file.isOpen else { return }
        var commands: [(job: Job, sent: SentCommand)] = []
        for job in queue.takeBatch(commands: most, rows: Limits.rowsPerTransaction) {
            switch job.order {
            case .apply(let command): commands.append((job, command.sent))
            case .assignWriter(let station):
                guard let writer = file.newWriter(for: station) else { return }
                let answer = WriterAnswer(request: job.request, writer: writer)
                try change(job.station) { session, _ in
                    session.finished(job.request, .success([.writerAnswer(answer)]))
                }
            case .retireWriter: break
            }
        }
        guard !commands.isEmpty else { return }
        guard let results = try file.carryOut(commands.map(\.sent)) else { return try crash() }
        for ((job, _), result) in zip(commands, results) {
            let answer = result.map { outcome in
                OutcomeAnswer(request: job.request, outcome: job.shown.shown(outcome))
            }
            try change(job.station) { session, file in
                session.windowsAltered(file)
                    + session.finished(job.request, answer.map { [.outcome($0)] })
            }
        }
        file.tidy()
        if !file.hasPower { try crash() }
    }

    /// Reads and sends pages, as the handler does.
    mutating func pump(_ station: Int, most: Int) throws {
        try change(station) { $0.lookAtWindows($1).actions }
        for _ in 0..<most where file.isOpen {
            guard let line = stations[station].line else { return }
            switch stations[station].line?.session.outbox.next(frames: { line.pages[$0.name] }) {
            case .write(let frame): send(frame, to: station)
            case .fill(let order):
                guard let frames = try file.read(order) else {
                    stations[station].line?.session.pageOutdated(order)
                    continue
                }
                stations[station].line?.pages[order.name] = frames
                stations[station].line?.session.outbox.filled(order.name)
            case .wait, nil:
                guard line.session.hasPendingWindow else { return }
                try change(station) { $0.lookAtWindows($1).actions }
            }
        }
    }
}
