import NIOCore
import ValetModel
import ValetProtocol

/// Runs a station on an event loop: connects again, and does what its outbox asks for.
final class StationRunner {
    typealias Answer = (Result<Outcome, ValetError>) -> Void

    let eventLoop: any EventLoop
    private let makeConnection: ValetStation.Connect
    private let current: CurrentConnection
    private var outbox: CommandOutbox
    private var backOff: BackOff
    private(set) var connection: ValetConnection?
    /// Why the last connection ended, or why there was none.
    private var lastError: ValetError?
    /// Of the last connection, for the next one.
    private var keptPages: KeptPages?
    private var connectedAt = NIODeadline.distantPast
    private var attempt: Task<Void, Never>?
    private var nextAttempt: Scheduled<Void>?
    private var answers: [CommandOutbox.Ticket: Answer] = [:]
    /// Why there will be no other connection.
    private var failure: ValetError?
    private var news: (ValetStation.News) -> Void = { _ in }
    /// Called with the next connection.
    private var connectionWaiters: [(Result<ValetConnection, ValetError>) -> Void] = []
    var ownPresence = OwnPresence()
    var presenceTimer: Scheduled<Void>?
    var othersChanged: ([StationPresence]) -> Void = { _ in }
    var nodeChanged: (ServingNode?) -> Void = { _ in }

    init(
        eventLoop: any EventLoop, backOff: BackOff, current: CurrentConnection,
        connect: @escaping ValetStation.Connect
    ) {
        self.eventLoop = eventLoop
        makeConnection = connect
        self.current = current
        outbox = CommandOutbox(backOff: backOff)
        self.backOff = backOff
    }

    /// Calls `body` with what is, and with all that happens from now on.
    func subscribe(_ body: @escaping (ValetStation.News) -> Void) {
        news = body
        if let connection {
            body(.connected(connection))
        } else if let lastError {
            body(.disconnected(lastError))
        }
    }

    private func update(_ event: (inout CommandOutbox, inout [CommandOutbox.Action]) -> Void) {
        var actions: [CommandOutbox.Action] = []
        event(&outbox, &actions)
        for action in actions { run(action) }
    }

    private var chance: Double { .random(in: 0.5...1) }
}

// MARK: - Connecting

extension StationRunner {
    func connect() {
        guard failure == nil, connection == nil, attempt == nil else { return }
        nextAttempt?.cancel()
        news(.connecting)
        let (this, eventLoop) = (NIOLoopBound(self, eventLoop: eventLoop), eventLoop)
        attempt = Task { [makeConnection] in
            do throws(ValetError) {
                let connection = try await makeConnection()
                eventLoop.execute { this.value.connected(connection) }
            } catch {
                eventLoop.execute { this.value.attemptFailed(error) }
            }
        }
    }

    func connected(_ connection: ValetConnection) {
        attempt = nil
        guard failure == nil else { return connection.channel.close(promise: nil) }
        let handler = connection.handler
        if let kept = keptPages {
            keptPages = nil
            // Before anybody knows the connection, and so before any window is requested on it.
            connection.execute { $0.resume(with: kept) }
        }
        self.connection = connection
        current.set(connection)
        connectedAt = eventLoop.now
        let (this, eventLoop) = (NIOLoopBound(self, eventLoop: eventLoop), eventLoop)
        connection.channel.closeFuture.whenComplete { _ in
            let error =
                handler.value.session.failure
                ?? ValetError(.shuttingDown, "the server closed the connection")
            let kept = handler.value.takePages()
            let wasOrderly = handler.value.session.goingAway != nil
            eventLoop.execute {
                this.value.disconnected(error, leaving: kept, wasOrderly: wasOrderly)
            }
        }
        news(.connected(connection))
        finishWaiters(.success(connection))
        update { $0.connected(waitingRequests: connection.server.waitingRequests, &$1) }
        listen()
        ownPresence.connected()
        sendPresence()
    }

    private func disconnected(_ error: ValetError, leaving kept: KeptPages, wasOrderly: Bool) {
        connection = nil
        current.set(nil)
        outbox.disconnected()
        listen()
        guard failure == nil else { return }
        keptPages = kept
        // A server that takes connections and drops them is not tried at once for ever.
        if eventLoop.now - connectedAt > .seconds(Int64(BackOff.longest)) {
            backOff.succeeded()
        } else if wasOrderly {
            backOff.wentAway()
        }
        news(.disconnected(error))
        connectLater(error)
    }

    private func attemptFailed(_ error: ValetError) {
        attempt = nil
        guard failure == nil else { return }
        news(.failed(error))
        connectLater(error)
    }

    private func connectLater(_ error: ValetError) {
        lastError = error
        guard let delay = backOff.nextDelay(random: chance) else { return end(error) }
        let wait = delay + (error.retryAfter ?? .zero)
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        nextAttempt = eventLoop.scheduleTask(in: TimeAmount(wait)) { this.value.connect() }
    }

    /// Calls `body` with the connection once there is one, or with the error that ended the
    /// station.
    func whenConnected(_ body: @escaping (Result<ValetConnection, ValetError>) -> Void) {
        connectionWaiters.append(body)
        if let failure {
            finishWaiters(.failure(failure))
        } else if let connection {
            finishWaiters(.success(connection))
        }
    }

    private func finishWaiters(_ result: Result<ValetConnection, ValetError>) {
        let waiters = connectionWaiters
        connectionWaiters = []
        for waiter in waiters { waiter(result) }
    }

    /// Fails all that waits, and connects no more.
    func end(_ error: ValetError) {
        guard failure == nil else { return }
        failure = error
        attempt?.cancel()
        nextAttempt?.cancel()
        update { $0.ended(error, &$1) }
        finishWaiters(.failure(error))
        connection?.channel.close(promise: nil)
        news = { _ in }
        othersChanged = { _ in }
        presenceTimer?.cancel()
    }
}

// MARK: - Commands

extension StationRunner {
    func submit(
        _ changes: [Change], list: ListDescription,
        answer: @escaping (Int, Result<Outcome, ValetError>) -> Void
    ) {
        do throws(ValetError) {
            if let failure { throw failure }
            var actions: [CommandOutbox.Action] = []
            let tickets = try outbox.submitted(changes, list: list, &actions)
            for (place, ticket) in tickets.enumerated() { answers[ticket] = { answer(place, $0) } }
            for action in actions { run(action) }
        } catch {
            for place in changes.indices { answer(place, .failure(error)) }
        }
    }

    private func run(_ action: CommandOutbox.Action) {
        switch action {
        case .requestWriter:
            ask {
                .writerRequest(WriterRequest(request: $0))
            } reading: {
                if case .writer(let number) = $0 { number } else { nil }
            } answer: { this, result in
                switch result {
                case .success(let writer): this.update { $0.writerAssigned(writer, &$1) }
                case .failure(let error):
                    this.update { $0.writerFailed(error, random: this.chance, &$1) }
                }
            }
        case .requestCatalog:
            ask {
                .catalogRequest(CatalogRequest(request: $0, countsRows: false))
            } reading: {
                if case .catalog(let catalog, _) = $0 { catalog.lists } else { nil }
            } answer: { this, result in
                switch result {
                case .success(let lists):
                    this.update { $0.catalogRead(lists, random: this.chance, &$1) }
                case .failure(let error):
                    this.update { $0.catalogFailed(error, random: this.chance, &$1) }
                }
            }
        case .send(let command, let epoch, let ticket):
            ask {
                .command(CommandRequest(request: $0, epoch: epoch, command: command))
            } reading: {
                if case .outcome(let outcome) = $0 { outcome } else { nil }
            } answer: { this, result in
                switch result {
                case .success(let outcome):
                    this.backOff.succeeded()
                    this.update { $0.outcomeReceived(outcome, ticket, &$1) }
                case .failure(let error):
                    this.update { $0.commandFailed(error, ticket, random: this.chance, &$1) }
                }
            }
        case .complete(let ticket, let result): answers.removeValue(forKey: ticket)?(result)
        case .retry(let delay):
            let this = NIOLoopBound(self, eventLoop: eventLoop)
            eventLoop.scheduleTask(in: TimeAmount(delay)) {
                this.value.update { $0.retryDue(&$1) }
            }
        }
    }

    /// Asks the server; an answer that does not come because the connection ends is no answer.
    private func ask<Value: Sendable>(
        _ make: @escaping @Sendable (UInt32) -> ClientMessage,
        reading: @escaping @Sendable (Reply) -> Value?,
        answer: @escaping @Sendable (StationRunner, Result<Value, ValetError>) -> Void
    ) {
        let (this, eventLoop) = (NIOLoopBound(self, eventLoop: eventLoop), eventLoop)
        connection?.ask(make) { result in
            let result = ValetConnection.read(result, reading)
            eventLoop.execute { answer(this.value, result) }
        }
    }

    /// Says goodbye, if there is nothing to wait for.
    /// - Parameter done: called when the server has answered, or after a second.
    func retire(done: @escaping @Sendable () -> Void) {
        guard let connection, let writer = outbox.retire() else { return done() }
        connection.ask({ .retireWriter(RetireWriter(request: $0, writer: writer)) }) { _ in done() }
        connection.channel.closeFuture.whenComplete { _ in done() }
        eventLoop.scheduleTask(in: .seconds(1), done)
    }
}
