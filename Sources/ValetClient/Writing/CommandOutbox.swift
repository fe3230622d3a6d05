import Collections
import ValetModel

/// Sends what a client process wants changed, each command until its outcome is known, without I/O:
/// events in, actions out.
///
/// A command gets its name (writer, number) when it is first sent, and keeps it over connections:
/// whatever has no outcome is sent again after a reconnection, in order, and the server carries it
/// out once. Commands that were sent under an expired writer keep that name, since the server may
/// have carried them out; those that were not sent go under the next writer.
struct CommandOutbox {
    /// Names a command inside this process.
    typealias Ticket = UInt64

    enum Action: Equatable {
        case requestWriter
        case send(Command, Ticket)
        case complete(Ticket, Result<Outcome, ValetError>)
        /// Report `retryDue` after this time.
        case retry(after: Duration)
    }

    fileprivate struct Entry {
        let list: String
        let change: Change
        /// Its place in its group, from 0.
        let place: Int
        /// nil until it was first sent.
        var name: CommandName?
        /// True while the connection owes its answer.
        var isSent = false
        /// True if a connection ended before the answer: the command may have been carried out.
        var isUnknown = false
    }

    /// Of this process; nil until the server has assigned one.
    private(set) var writer: UInt64?
    private var lastNumber: UInt64 = 0
    private var lastTicket: Ticket = 0
    /// In the order in which they were submitted.
    private var entries: OrderedDictionary<Ticket, Entry> = [:]
    private var sentCount = 0
    /// How many may be sent and not answered: half of what the server takes, so that windows need
    /// not wait for commands. 0 without a connection.
    private var mostSent = 0
    private var hasRequestedWriter = false
    private var isWaitingToRetry = false
    private var busyBackOff: BackOff

    /// - Parameter backOff: for a busy server.
    init(backOff: BackOff = BackOff()) {
        busyBackOff = backOff
    }

    /// Commands without an outcome.
    var count: Int { entries.count }
}

// MARK: - Events

extension CommandOutbox {
    /// - Parameter changes: one act; the commands are undone together.
    /// - Returns: a ticket for each change, in order.
    mutating func submitted(
        _ changes: [Change], list: String, _ actions: inout [Action]
    ) throws(ValetError) -> [Ticket] {
        let limit = Limits.commandsHeldBack
        guard entries.count + changes.count <= limit else {
            throw .limit(
                "commands without an outcome", is: limit, asked: entries.count + changes.count)
        }
        let tickets = changes.enumerated().map { place, change in
            lastTicket += 1
            entries[lastTicket] = Entry(list: list, change: change, place: place)
            return lastTicket
        }
        send(&actions)
        return tickets
    }

    mutating func connected(waitingRequests: Int, _ actions: inout [Action]) {
        disconnected()
        mostSent = max(1, waitingRequests / 2)
        send(&actions)
    }

    mutating func disconnected() {
        mostSent = 0
        sentCount = 0
        hasRequestedWriter = false
        for index in entries.values.indices where entries.values[index].isSent {
            entries.values[index].isSent = false
            entries.values[index].isUnknown = true
        }
    }

    /// There will be no other connection.
    mutating func ended(_ error: ValetError, _ actions: inout [Action]) {
        disconnected()
        for (ticket, entry) in entries {
            actions.append(.complete(ticket, .failure(entry.failure(error))))
        }
        entries = [:]
    }

    mutating func writerAssigned(_ number: UInt64, _ actions: inout [Action]) {
        hasRequestedWriter = false
        busyBackOff.succeeded()
        writer = number
        lastNumber = 0
        send(&actions)
    }

    /// - Parameter random: from 0.5 to 1, for the time until the next attempt.
    mutating func writerFailed(
        _ error: ValetError, random: Double, _ actions: inout [Action]
    ) {
        hasRequestedWriter = false
        guard !waits(after: error, random: random, &actions) else { return }
        for (ticket, entry) in entries where entry.name == nil {
            entries[ticket] = nil
            actions.append(.complete(ticket, .failure(error)))
        }
    }

    mutating func outcomeReceived(
        _ outcome: Outcome, _ ticket: Ticket, _ actions: inout [Action]
    ) {
        busyBackOff.succeeded()
        complete(ticket, .success(outcome), &actions)
    }

    mutating func commandFailed(
        _ error: ValetError, _ ticket: Ticket, random: Double, _ actions: inout [Action]
    ) {
        if error.code == .outcomeUnknown { entries[ticket]?.isUnknown = true }
        guard let entry = entries[ticket] else { return }
        if waits(after: error, random: random, &actions) {
            if entry.isSent { sentCount -= 1 }
            entries[ticket]?.isSent = false
            return
        }
        if error.code == .expired, entry.name?.writer == writer { writer = nil }
        // The error is about this attempt; an earlier one may have been carried out.
        complete(ticket, .failure(entry.failure(error)), &actions)
    }

    mutating func retryDue(_ actions: inout [Action]) {
        isWaitingToRetry = false
        send(&actions)
    }

    /// The writer that says goodbye, if all of its commands have their outcomes.
    mutating func retire() -> UInt64? {
        entries.isEmpty ? writer.take() : nil
    }
}

// MARK: - Sending

extension CommandOutbox {
    private mutating func complete(
        _ ticket: Ticket, _ result: Result<Outcome, ValetError>, _ actions: inout [Action]
    ) {
        guard let entry = entries.removeValue(forKey: ticket) else { return }
        if entry.isSent { sentCount -= 1 }
        actions.append(.complete(ticket, result))
        send(&actions)
    }

    /// Whether the command is to be sent again: after a while to a server that is busy, or does not
    /// know whether it was carried out; after the next connection to one that stops.
    private mutating func waits(
        after error: ValetError, random: Double, _ actions: inout [Action]
    ) -> Bool {
        switch error.code {
        case .busy, .outcomeUnknown:
            if isWaitingToRetry { return true }
            guard let delay = busyBackOff.nextDelay(random: random) else { return false }
            isWaitingToRetry = true
            actions.append(.retry(after: delay))
            return true
        case .shuttingDown:
            mostSent = 0
            return true
        case .malformed, .unsupportedVersion, .unknownKind, .limitExceeded, .unexpected,
            .unknownList, .unknownGrouping, .unknownScope, .unknownColumn, .unknownView,
            .unknownRow, .unknownSection, .invalidCondition, .superseded, .listUnavailable,
            .storageFailed, .tooManyClients, .timedOut, .notAllowed, .overBudget, .expired,
            .readOnly:
            return false
        }
    }

    /// Sends in order: nothing overtakes a command that waits for a busy server.
    private mutating func send(_ actions: inout [Action]) {
        guard !isWaitingToRetry else { return }
        for index in entries.values.indices where !entries.values[index].isSent {
            guard sentCount < mostSent else { return }
            guard let name = entries.values[index].name ?? nextName() else {
                return requestWriter(&actions)
            }
            entries.values[index].name = name
            entries.values[index].isSent = true
            sentCount += 1
            let entry = entries.values[index]
            // Those of a group have neighbouring numbers, or began it under an expired writer.
            let (place, isLater) = (UInt64(entry.place), name.number > UInt64(entry.place))
            let command = Command(
                name: name, group: isLater ? name.number - place : 1, list: entry.list,
                change: entry.change)
            actions.append(.send(command, entries.keys[index]))
        }
    }

    private mutating func nextName() -> CommandName? {
        guard let writer else { return nil }
        lastNumber += 1
        return CommandName(writer: writer, number: lastNumber)
    }

    private mutating func requestWriter(_ actions: inout [Action]) {
        guard !hasRequestedWriter else { return }
        hasRequestedWriter = true
        actions.append(.requestWriter)
    }
}

extension CommandOutbox.Entry {
    fileprivate func failure(_ error: ValetError) -> ValetError {
        guard isUnknown, error.code != .expired else { return error }
        var error = error
        error.message += "; whether the change was made is not known"
        return error
    }
}
