import Foundation
import ValetClient
import ValetModel
import ValetTerminal

/// An application with its connection: feeds it, does what it asks for, and keeps it connected.
///
/// Belongs to one thread; `queue` brings what happens elsewhere.
final class AppSession {
    private(set) var app: App
    private(set) var exitCode: Int32?
    /// Why there is nothing to show: the first connection could not be made, or there is no such
    /// list.
    private(set) var failure: (any Error)?
    private let target: TargetOptions
    private let link: AppLink
    private let queue: EventQueue
    private let outstanding: Outstanding
    private var open: OpenTarget?
    private var isConnected = false
    private var reconnection = Reconnection()
    private var attempt: Task<Void, Never>?
    private let start = ContinuousClock.now
    /// False for a snapshot, which must be the same in every run.
    private let measuresRoundTrips: Bool
    /// What only a terminal can do: suspend, copy, redraw.
    var terminalAction: (AppAction) -> Void = { _ in }

    init(
        target: TargetOptions, options: AppOptions, size: Size, queue: EventQueue,
        outstanding: Outstanding, measuresRoundTrips: Bool
    ) {
        self.target = target
        self.measuresRoundTrips = measuresRoundTrips
        self.queue = queue
        self.outstanding = outstanding
        link = AppLink(queue: queue, outstanding: outstanding)
        app = App(options: options, size: size)
    }

    var milliseconds: Int { Int((ContinuousClock.now - start) / .milliseconds(1)) }

    /// Begins to connect; events tell how it went.
    func connect(after delay: Duration = .zero) {
        attempt?.cancel()
        let token = outstanding.begin()
        attempt = Task { [queue, target] in
            defer { token.end() }
            do {
                if delay > .zero { try await Task.sleep(for: delay) }
                queue.add(.app(.connecting))
                let open = try await OpenTarget.open(target)
                queue.add(.connected(open))
                Task {
                    await open.connection.closed()
                    queue.add(.connectionEnded(reason: "the server has gone"))
                }
            } catch is CancellationError {
                return
            } catch {
                queue.add(.connectionFailed(error))
            }
        }
    }

    /// Handles all that has come by the queue.
    func drainQueue() {
        for event in queue.takeAll() {
            switch event {
            case .app(let event): handle(event)
            case .connected(let open):
                // A file's own server would go on serving nobody.
                if let older = self.open { Task { await older.close() } }
                self.open = open
                isConnected = true
                reconnection.succeeded()
                link.use(open.connection)
                handle(.connected)
                link.loadCatalog(countingRows: false)
                if measuresRoundTrips { link.measureRoundTrip() }
            case .connectionFailed(let error):
                // The first time there is nothing on the screen to keep.
                if open == nil {
                    failure = error
                } else {
                    lost("\((error as? ValetError)?.message ?? "\(error)")")
                }
            case .connectionEnded(let reason): lost(reason)
            }
        }
    }

    private func lost(_ reason: String) {
        isConnected = false
        link.use(nil)
        handle(.disconnected(reason: reason))
        connect(after: reconnection.nextDelay())
    }

    func handle(_ event: AppEvent) {
        for action in app.handle(event) { perform(action) }
    }

    private func perform(_ action: AppAction) {
        switch action {
        case .quit(let code): exitCode = code
        case .fail(let error): failure = error
        case .suspend, .copy, .redraw: terminalAction(action)
        case .reconnect:
            if isConnected { link.loadCatalog(countingRows: false) } else { connect() }
        case .countRows: link.loadCatalog(countingRows: true)
        case .openView, .closeView, .requestWindow, .requestIndex, .findSection, .requestDetail:
            link.perform(action)
        }
    }

    /// Ends the application, whatever it is doing.
    func quit(exitCode code: Int32) {
        exitCode = exitCode ?? code
    }

    func measureRoundTrip() {
        link.measureRoundTrip()
    }

    /// Stops connecting.
    /// - Returns: what is still open, for closing.
    func end() -> OpenTarget? {
        attempt?.cancel()
        return open
    }
}
