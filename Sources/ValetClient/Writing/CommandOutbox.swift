import OrderedCollections
import ValetModel

/// Sends what a client process wants changed, each command until its outcome is known, without I/O:
/// events in, actions out.
///
/// A command gets its name (writer, number) when it is first sent, and keeps it over connections:
/// whatever has no outcome is sent again after a reconnection, in order, and the server carries it
/// out once. Commands that were sent under an expired writer keep that name, since the server may
/// have carried them out; those that were not sent go under the next writer.
///
/// A command holds for the catalog that it was made with. When the server has another by now, it
/// says so, having carried out nothing: then the catalog is read, and the command is sent again,
/// for the columns of the same names. What can't be found again fails.
struct CommandOutbox {
    /// Names a command inside this process.
    typealias Ticket = UInt64

    enum Action: Equatable {
        case requestWriter
        case requestCatalog
        /// With the epoch of the catalog that it was made with.
        case send(Command, epoch: UInt64, Ticket)
        case complete(Ticket, Result<Outcome, ValetError>)
        /// Report `retryDue` after this time.
        case retry(after: Duration)
    }

    fileprivate struct Entry {
        /// As the catalog describes it that the change was made with.
        var list: ListDescription
        var change: Change
        /// Its place in its group, from 0.
        let place: Int
        /// nil until it was first sent.
        var name: CommandName?
        /// True while the connection owes its answer.
        var isSent = false
        /// True if a connection ended before the answer: the command may have been carried out.
        var isUnknown = false
        /// True if the server has refused it as of another catalog.
        var isOutdated = false
    }

    /// Of this process; nil until the server has assigned one.
    private(set) var writer: WriterID?
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
    private var isReadingCatalog = false
    /// The lists of this connection, once they had to be read.
    private var lists: [ListDescription] = []
    private var busyBackOff: BackOff

    /// - Parameter backOff: for a busy server.
    init(backOff: BackOff = BackOff()) { busyBackOff = backOff }

    /// Commands without an outcome.
    var count: Int { entries.count }
}

// MARK: - Events

extension CommandOutbox {
    /// - Parameter changes: one act; the commands are undone together.
    /// - Returns: a ticket for each change, in order.
    mutating func submitted(
        _ changes: [Change], list: ListDescription, _ actions: inout [Action]
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
        if !lists.isEmpty {
            for ticket in tickets where list.epoch != lists[0].epoch { move(ticket, &actions) }
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
        (mostSent, sentCount, lists) = (0, 0, [])
        (hasRequestedWriter, isReadingCatalog) = (false, false)
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

    mutating func writerAssigned(_ assigned: WriterID, _ actions: inout [Action]) {
        hasRequestedWriter = false
        busyBackOff.succeeded()
        writer = assigned
        lastNumber = 0
        send(&actions)
    }

    /// - Parameter random: from 0.5 to 1, for the time until the next attempt.
    mutating func writerFailed(_ error: ValetError, random: Double, _ actions: inout [Action]) {
        hasRequestedWriter = false
        guard !waits(after: error, random: random, &actions) else { return }
        for (ticket, entry) in entries where entry.name == nil {
            entries[ticket] = nil
            actions.append(.complete(ticket, .failure(error)))
        }
    }

    mutating func outcomeReceived(_ outcome: Outcome, _ ticket: Ticket, _ actions: inout [Action]) {
        busyBackOff.succeeded()
        complete(ticket, .success(outcome), &actions)
    }

    mutating func commandFailed(
        _ error: ValetError, _ ticket: Ticket, random: Double, _ actions: inout [Action]
    ) {
        if error.code == .outcomeUnknown { entries[ticket]?.isUnknown = true }
        guard let entry = entries[ticket] else { return }
        if error.code == .catalogChanged {
            if entry.isSent { sentCount -= 1 }
            // No sending was carried out.
            entries[ticket]?.isSent = false
            entries[ticket]?.isUnknown = false
            entries[ticket]?.isOutdated = true
            return readCatalog(&actions)
        }
        if waits(after: error, random: random, &actions) {
            if entry.isSent { sentCount -= 1 }
            entries[ticket]?.isSent = false
            return
        }
        if error.code == .expired, entry.name?.writer == writer { writer = nil }
        // The error is about this attempt; an earlier one may have been carried out.
        complete(ticket, .failure(entry.failure(error)), &actions)
    }

    mutating func catalogRead(
        _ lists: [ListDescription], random: Double, _ actions: inout [Action]
    ) {
        self.lists = lists
        for (ticket, entry) in entries where entry.isOutdated && !entry.isSent {
            if entry.list.epoch != lists.first?.epoch {
                move(ticket, &actions)
            } else if waits(after: Self.stillOutdated, random: random, &actions) {
                break
            } else {
                complete(ticket, .failure(Self.stillOutdated), &actions)
            }
        }
        // Only now, so that nothing is sent that is about to fail here.
        isReadingCatalog = false
        send(&actions)
    }

    /// Makes a command that was not carried out one of the newest catalog; it fails if it can't be.
    private mutating func move(_ ticket: Ticket, _ actions: inout [Action]) {
        guard let entry = entries[ticket] else { return }
        let list = lists.first { $0.name == entry.list.name }
        do throws(ValetError) {
            entries[ticket]?.change = try entry.change.moved(from: entry.list, to: list)
            entries[ticket]?.list = list ?? entry.list
            entries[ticket]?.isOutdated = false
        } catch {
            complete(ticket, .failure(error), &actions)
        }
    }

    mutating func catalogFailed(_ error: ValetError, random: Double, _ actions: inout [Action]) {
        if !waits(after: error, random: random, &actions) {
            for (ticket, entry) in entries where entry.isOutdated && !entry.isSent {
                complete(ticket, .failure(error), &actions)
            }
        }
        isReadingCatalog = false
        send(&actions)
    }

    mutating func retryDue(_ actions: inout [Action]) {
        isWaitingToRetry = false
        send(&actions)
    }

    /// The writer that says goodbye, if all of its commands have their outcomes.
    mutating func retire() -> WriterID? { entries.isEmpty ? writer.take() : nil }
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

    /// The server has yet to open the changed file again.
    private static let stillOutdated = ValetError(
        .busy, "the server has not read the new catalog yet: try again")

    private mutating func readCatalog(_ actions: inout [Action]) {
        guard !isReadingCatalog, mostSent > 0 else { return }
        isReadingCatalog = true
        actions.append(.requestCatalog)
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
            actions.append(.retry(after: delay + (error.retryAfter ?? .zero)))
            return true
        case .shuttingDown:
            mostSent = 0
            return true
        case .malformed, .unsupportedVersion, .unknownKind, .limitExceeded, .unexpected,
            .unknownList, .unknownGrouping, .unknownScope, .unknownColumn, .unknownView,
            .unknownRow, .unknownSection, .invalidCondition, .superseded, .listUnavailable,
            .storageFailed, .tooManyClients, .timedOut, .notAllowed, .overBudget, .expired,
            .readOnly, .catalogChanged, .unauthenticated:
            return false
        }
    }

    /// Sends in order: nothing overtakes a command that waits for a busy server.
    private mutating func send(_ actions: inout [Action]) {
        guard !isWaitingToRetry, !isReadingCatalog else { return }
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
                name: name, group: isLater ? name.number - place : 1,
                list: entry.list.name, change: entry.change)
            actions.append(.send(command, epoch: entry.list.epoch, entries.keys[index]))
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
        error.message += "; the change may have been made or not"
        return error
    }
}
