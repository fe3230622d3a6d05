import Logging
import NIOCore
import NIOPosix
import ValetModel
import ValetProtocol
import ValetSecurity
import ValetStore

import struct Synchronization.Atomic

/// Serves the lists of one SQLite file.
///
/// # The way of a request
///
/// Bytes arrive on the connection's event loop (`ConnectionHandler`), become a message
/// (`ValetProtocol`), and go into the connection's `Session`, a value that answers from the loop's
/// own copy of the newest `Snapshot`. What the session can't answer at once it orders: arrangements
/// from the list (`KeptList`), pages from the loop's cache (`LoopState`) or from the reader
/// threads (`ReaderPool`). Their results come back to the loop, through the session, and out.
///
/// # Files that change
///
/// A `FileLookout` sees within a quarter of a second that another program has changed the file, and
/// the lists are read in anew (`ListKeeper`). A file that was replaced, or whose tables are others
/// now, is opened again (`ServedFile`), and connections to the old one are told to connect again.
public final class ValetServer: Sendable {
    let group: any EventLoopGroup
    private let eventLoops: [any EventLoop]
    let listeners = Mutex<[any Channel]>([])
    private let options: ServerOptions
    private let admission: Admission
    private let unfinished = UnfinishedFrames()
    private let attempts = Attempts()
    /// nil if everyone may connect.
    private let authenticator: Authenticator?
    private let schedule: BackupSchedule?
    private let address = ServedAddress()
    private let logger: Logger
    private let isStopping = Atomic(false)
    /// Connections so far, for their numbers.
    private let connectionCount = Atomic<UInt64>(0)
    private let state: Mutex<State>

    private struct State {
        var file: ServedFile
        var lookout: FileLookout?
        /// Times that the file was opened.
        var openings: UInt64 = 1
        /// Opens the file again.
        var reopening: Task<Void, Never>?
        /// Why nobody is served while no file is open.
        var closedReason: ValetError?
        /// At opening the file again.
        var attempts = OpeningAttempts()
    }

    /// Opens the database and reads its schema; throws `ValetError`. No row is read yet.
    public init(_ options: ServerOptions, group: any EventLoopGroup, logger: Logger) async throws {
        self.group = group
        self.options = options
        self.logger = logger
        admission = Admission(limit: options.connectionLimit)
        eventLoops = Array(group.makeIterator())
        authenticator = try options.principalsPath.map { path throws(ValetError) in
            try Authenticator(
                path: path, rulesPath: options.accessPath,
                connectionLimit: options.connectionLimit, logger: logger)
        }
        schedule = try options.backups.map { plan throws(ValetError) in
            try BackupSchedule(
                plan, ofFile: options.path, clock: options.clock, logger: logger)
        }
        try LeftLog.check(options.path)
        let file = try await ServedFile(
            options, epoch: options.epoch, eventLoops: eventLoops, admission: admission,
            attempts: attempts, authenticator: authenticator, address: address, logger: logger)
        state = Mutex(State(file: file))
        if let authenticator { try file.shared.catalogs.check(authenticator.rules) }
        schedule?.start(on: eventLoops[0]) { [weak self] in
            // Of a file that is closed there is nothing to copy.
            self?.state.withLock { $0.closedReason == nil ? $0.file.shared.backups : nil }
        }
        authenticator?.start(on: eventLoops[0]) { [weak self] rules throws(ValetError) in
            try self?.file.shared.catalogs.check(rules)
        }
        lookOut(on: file)
    }

    /// What is served now.
    var shared: SharedServices { file.shared }

    private var file: ServedFile { state.withLock { $0.file } }

    public static let version = "0.1"
    /// Of the protocol that is spoken.
    package static var protocolVersion: UInt32 { Hello.version }
    /// Of the library that compresses pages.
    package static var compressionVersion: String { LZ4.version }

    /// Begins to listen; an error says what is wrong with the address, and what to do.
    /// - Parameter certificate: what connections are encrypted with; nil for connections that are
    ///   not.
    /// - Returns: the address, with the port that the system chose when `port` is 0.
    public func listen(
        host: String, port: Int, certificate: ServerCertificate? = nil
    ) async throws(ValetError) -> SocketAddress {
        let channel: any Channel
        do {
            channel = try await bind(host: host, port: port, certificate)
        } catch {
            throw ListeningFailure.error(error, host: host, port: port)
        }
        listeners.withLock { $0.append(channel) }
        let port = channel.localAddress?.port ?? port
        address.set("\(certificate == nil ? "valet" : "valets")://\(host):\(port)")
        file.openEarly()
        return channel.localAddress!
    }

    private func bind(
        host: String, port: Int, _ certificate: ServerCertificate?
    ) async throws -> any Channel {
        let pace: EntryPace =
            certificate == nil ? .plain : .encrypted(loops: eventLoops.count)
        return try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: CInt(Limits.connectionsPending))
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { [admission] channel in
                channel.eventLoop.makeCompletedFuture {
                    let turns = AcceptTurns(
                        pace, now: channel.eventLoop.now, admission: admission)
                    try channel.pipeline.syncOperations.addHandlers(AcceptPause(), turns)
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in self.accept(channel, certificate) }
            .childChannelOption(.writeBufferWaterMark, value: Self.waterMark)
            .childChannelOption(.recvAllocator, value: Self.readBuffers)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .bind(host: host, port: port).get()
    }

    /// Serves one connection over a socket that is connected already; takes the descriptor over.
    public func serve(connectedSocket descriptor: CInt) async throws {
        _ = try await ClientBootstrap(group: group)
            .channelInitializer { channel in self.accept(channel) }
            .channelOption(.writeBufferWaterMark, value: Self.waterMark)
            .channelOption(.recvAllocator, value: Self.readBuffers)
            .channelOption(.maxMessagesPerRead, value: 1)
            .withConnectedSocket(descriptor).get()
    }

    private static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(
        low: Limits.bytesUnsentToGoOn, high: Limits.bytesUnsentAtMost)

    /// By default NIO keeps several buffers for each connection, as large as it ever needed.
    private static let readBuffers = FixedSizeRecvByteBufferAllocator(
        capacity: Limits.bytesPerRead)

    private func accept(
        _ channel: any Channel, _ certificate: ServerCertificate? = nil
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let tls = certificate?.makeHandler()
            let owner = WorkOwner(
                number: connectionCount.wrappingAdd(1, ordering: .relaxed).newValue)
            let caller = Caller(
                channel.remoteAddress, number: owner.number, attempts: attempts, logger: logger
            ) {
                tls?.clientKey
            }
            if let tls {
                try channel.pipeline.syncOperations.addHandlers(PlainHelloHandler(caller), tls)
            }
            if let reason = caller.refusal(at: channel.eventLoop.now) ?? take() {
                try channel.pipeline.syncOperations.addHandler(
                    RefusingHandler(reason: reason, timeout: options.timeouts.linger))
                return
            }
            let leave: @Sendable () -> Void = { [admission] in admission.leave() }
            let file = file
            let handler = ConnectionHandler(
                loop: file.loop(channel.eventLoop), shared: file.shared, owner: owner,
                caller: caller, unfinished: unfinished, timeouts: options.timeouts,
                now: channel.eventLoop.now, ended: leave)
            do {
                try channel.pipeline.syncOperations.addHandler(handler)
            } catch {
                // It is gone already, and nobody will say that it ended.
                leave()
                throw error
            }
        }
    }

    /// Why no client is served now; nil if they are.
    var reasonForNotServing: ValetError? {
        if isStopping.load(ordering: .acquiring) { return .shuttingDown }
        return state.withLock(\.closedReason)
    }

    /// Counts a connection, unless there is a reason to refuse it.
    private func take() -> ValetError? {
        if let reason = reasonForNotServing { return reason }
        if admission.enter() { return nil }
        return ValetError(
            .tooManyClients, "the server has reached its limit of \(admission.limit) clients")
    }

    /// Stops: takes no new connections, answers what is under way, tells everyone, and returns
    /// after at most `Limits.secondsToDrain` seconds.
    public func stop() async {
        isStopping.store(true, ordering: .releasing)
        let channels = listeners.withLock { exchange(&$0, with: []) }
        for channel in channels { try? await channel.close().get() }
        let (lookout, reopening) = state.withLock { ($0.lookout, $0.reopening) }
        lookout?.stop()
        authenticator?.stop()
        schedule?.stop()
        await file.drain(.shuttingDown, within: options.timeouts.drain)
        // It began before, so it ends before.
        await reopening?.value
        options.membership?.log.close()
    }
}

// MARK: - Opening again

extension ValetServer {
    private func lookOut(on file: ServedFile) {
        let lookout = FileLookout(on: file) { [weak self] change in self?.reopen(file, change) }
        state.withLock { $0.lookout = lookout }
        lookout.start(on: eventLoops[0])
    }

    private func reopen(_ old: ServedFile, _ change: FileWatch.Change) {
        // What is open is not to be used any more: that doesn't wait until an attempt is due.
        let closesFirst = [.contents, .gone, .writable, .copy].contains(change)
        state.withLock { state in
            guard state.file === old, state.reopening == nil,
                closesFirst || state.attempts.areDue(at: .now()),
                !isStopping.load(ordering: .acquiring)
            else { return }
            state.reopening = Task { [self] in
                if closesFirst {
                    await reopenAfterClosing(old, change)
                } else {
                    await reopenBeside(old, change)
                }
                self.state.withLock { $0.reopening = nil }
            }
        }
    }

    private static let replaced = ValetError(.shuttingDown, "the file was replaced: connect again")

    private static let unreadable = ValetError(
        .shuttingDown, "the file has changed, and the server can't open it again: its log says why")

    /// Opens the file again, beside what is served now. If that fails, as it may while somebody
    /// copies another file in its place, the next look tries again. What goes on failing, as with a
    /// catalog that is gone, must not go on showing the rows of before.
    private func reopenBeside(_ old: ServedFile, _ change: FileWatch.Change) async {
        let told = (try? old.watch.look()) ?? 0
        guard let new = await open(after: old.leftovers, isClosed: false, above: told) else {
            if state.withLock(\.attempts.keepFailing) { await reopenAfterClosing(old, change) }
            return
        }
        let isTooLate = isStopping.load(ordering: .acquiring)
        // So that the new one can own the file.
        await old.shared.writer?.stop()
        if !isTooLate { replace(old, by: new) }
        await (isTooLate ? new : old).drain(Self.replaced, within: options.timeouts.drain)
    }

    /// Goes away from all clients and closes the file before it opens what is there now: SQLite
    /// would mix the two. Tries until there is a file that can be opened.
    private func reopenAfterClosing(_ old: ServedFile, _ change: FileWatch.Change) async {
        let (reason, words): (ValetError, Logger.Message) =
            switch change {
            case .writable: (Self.replaced, "the file may be writable now: it is opened again")
            case .copy:
                (Self.replaced, "a copy of another node's file takes the place of this node's")
            case .contents, .gone:
                (
                    Self.replaced,
                    "the file was overwritten or removed: it is closed until it can be opened"
                )
            case .none, .back, .file, .tables:
                (Self.unreadable, "the file has changed: it is closed until it can be opened")
            }
        let lookout = state.withLock { state in
            state.closedReason = reason
            return state.lookout
        }
        lookout?.stop()
        logger.warning(words)
        let leftovers = old.leftovers
        let told = (try? old.watch.look()) ?? 0
        await old.close(reason, within: options.timeouts.drain)
        if change == .copy { await replaceByCopy() }
        while !isStopping.load(ordering: .acquiring) {
            if state.withLock({ $0.attempts.areDue(at: .now()) }),
                let new = await open(after: leftovers, isClosed: true, above: told)
            {
                if isStopping.load(ordering: .acquiring) {
                    await new.drain(Self.replaced, within: options.timeouts.drain)
                } else {
                    replace(old, by: new)
                }
                return
            }
            try? await eventLoops[0].scheduleTask(in: FileLookout.interval) {}.futureResult.get()
        }
    }

    private static let attemptsToReplace = 20

    /// If this fails, the file is as it was, and another copy is taken.
    private func replaceByCopy() async {
        var failure: ValetError?
        // Whoever looks at the file has it open for a moment.
        for _ in 0..<Self.attemptsToReplace {
            do throws(ValetError) {
                return try NodeFile.replaceByCopy(options.path)
            } catch {
                failure = error
            }
            try? await eventLoops[0].scheduleTask(in: FileLookout.interval) {}.futureResult.get()
        }
        logger.error(
            "the copy could not take the place of this node's file",
            metadata: ["error": "\(failure.map { "\($0)" } ?? "")"])
    }

    /// Opens what is at the path now. nil if it can't be opened; the reason is logged once.
    ///
    /// - Parameters:
    ///   - isClosed: whether nothing of it is open any more.
    ///   - told: the newest revision so far; a few more are told before all have left.
    private func open(
        after leftovers: LeftoverLog?, isClosed: Bool, above told: UInt64
    ) async -> ServedFile? {
        do throws(any Error) {
            if let kept = try leftovers?.setAside(isClosed: isClosed) {
                logger.warning(
                    "the write-ahead log of the replaced file was set aside",
                    metadata: ["file": "\(kept)"])
            }
            let epoch = state.withLock { options.epoch &+ $0.openings }
            let new = try await ServedFile(
                options, epoch: epoch, above: told + UInt64(Limits.revisionsAhead),
                eventLoops: eventLoops, admission: admission, attempts: attempts,
                authenticator: authenticator, address: address, logger: logger,
                isStopping: { [self] in isStopping.load(ordering: .acquiring) })
            state.withLock { ($0.openings, $0.attempts) = ($0.openings + 1, OpeningAttempts()) }
            return new
        } catch {
            let failure = "\(error)"
            if state.withLock({ $0.attempts.failed(failure, at: .now()) }) {
                logger.warning(
                    "the file has changed and can't be opened again",
                    metadata: ["error": "\(failure)"])
            }
            return nil
        }
    }

    /// A server of a file that has changed goes on: what the rules name and the file has no more is
    /// said, and not served.
    private func checkAccess(to file: ServedFile) {
        guard let authenticator else { return }
        do throws(ValetError) {
            try file.shared.catalogs.check(authenticator.rules)
        } catch {
            logger.error(
                "access names what the file does not have any more",
                metadata: ["error": "\(error)"])
        }
    }

    private func replace(_ old: ServedFile, by new: ServedFile) {
        logger.info("the file was replaced, or its tables have changed: it was opened again")
        let lookout = state.withLock { state in
            (state.file, state.closedReason) = (new, nil)
            return state.lookout
        }
        lookout?.stop()
        checkAccess(to: new)
        lookOut(on: new)
        if !listeners.withLock(\.isEmpty) { new.openEarly() }
    }
}
