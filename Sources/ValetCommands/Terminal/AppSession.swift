import Foundation
import ValetClient
import ValetModel
import ValetStore
import ValetTerminal

/// An application with its connection: feeds it, does what it asks for, and keeps it connected.
///
/// Belongs to one thread; `queue` brings what happens elsewhere.
final class AppSession {
    private(set) var app: App
    private(set) var exitCode: Int32?
    /// Ids of the rows that were picked.
    private(set) var picked: [Int64] = []
    /// Why there is nothing to show: the first connection could not be made, or there is no such
    /// list.
    private(set) var failure: (any Error)?
    private let target: TargetOptions
    private let imported: ImportedFiles?
    private let link: AppLink
    private let queue: EventQueue
    private let outstanding: Outstanding
    private let queries = QueriesFile()
    private let fileErrands = Errands()
    private let drafts: DraftsFile
    /// As they stand in the file.
    private var keptDrafts: [Draft]
    private var wasEnded = false
    private var open: OpenTarget?
    private var attempt: Task<Void, Never>?
    private var lookout: Task<Void, Never>?
    private static let lookEvery = Duration.seconds(2)
    private let start = ContinuousClock.now
    /// False for a snapshot, which must be the same in every run.
    private let isInteractive: Bool
    private var sentPresence = Presence(list: "")
    /// What only a terminal can do: suspend, copy, redraw.
    var terminalEffect: (TerminalEffect) -> Void = { _ in }

    init(
        target: TargetOptions, imported: ImportedFiles? = nil, options: AppOptions, size: Size,
        queue: EventQueue, outstanding: Outstanding, isInteractive: Bool
    ) {
        self.target = target
        self.imported = imported
        self.isInteractive = isInteractive
        self.queue = queue
        self.outstanding = outstanding
        let sources = imported?.paths ?? [(try? Target(target.target))?.path].compactMap(\.self)
        link = AppLink(queue: queue, outstanding: outstanding, sources: sources)
        var options = options
        drafts = DraftsFile(of: target.target)
        keptDrafts = []
        if isInteractive {
            do throws(ValetError) {
                keptDrafts = try drafts.read()
                options.drafts = keptDrafts
            } catch {
                options.startNotes = [error.message]
            }
        }
        app = App(options: options, size: size)
        if isInteractive, let imported { lookOut(for: imported) }
    }

    /// Says once that the files have changed.
    private func lookOut(for imported: ImportedFiles) {
        let pause = Self.lookEvery
        lookout = Task { [queue] in
            while imported.areUnchanged, !Task.isCancelled { try? await Task.sleep(for: pause) }
            if !Task.isCancelled { queue.add(.app(.filesChanged)) }
        }
    }

    var milliseconds: Int { Int((ContinuousClock.now - start) / .milliseconds(1)) }

    /// Begins to connect; events tell how it went.
    func connect() {
        let token = outstanding.begin()
        queue.add(.app(.connecting))
        attempt = Task { [queue, target, imported, isInteractive] in
            do {
                let open = try await OpenTarget.open(
                    target, attempts: .max, changesRows: true, imported: imported, asks: false)
                queue.add(.opened(open))
                open.station.onNews { news in
                    queue.add(.news(news))
                    if case .connecting = news { return }
                    token.end()
                }
                guard isInteractive else { return }
                open.station.onOthers { queue.add(.othersChanged($0)) }
                open.station.onNode { queue.add(.nodeChanged($0)) }
            } catch {
                queue.add(.openingFailed(error))
                token.end()
            }
        }
    }

    /// Handles all queued events.
    /// - Returns: whether there were any.
    @discardableResult
    func drainQueue() -> Bool {
        let events = queue.takeAll()
        for event in events {
            switch event {
            case .app(let event):
                handle(event)
                if !isInteractive, event.isOutcome { link.askWindowAgain() }
            case .matchingEnded(let token): link.matchingEnded(token)
            case .sectionWanted(let token, let title): link.findSection(containing: title, token)
            case .sectionsOpened(let number, let summary): link.sections?.opened(number, summary)
            case .pinned(let token, let opened):
                if let result = link.answer(ofPin: token, opened) {
                    handle(.answer(token, result))
                }
            case .opened(let open):
                self.open = open
                link.station = open.station
                sendPresence()
            // There is nothing on the screen to keep.
            case .openingFailed(let error): failure = error
            case .news(let news): received(news)
            }
        }
        return !events.isEmpty
    }

    private func received(_ news: ValetStation.News) {
        switch news {
        case .connecting: handle(.connecting)
        case .connected(let connection):
            link.use(connection)
            handle(.connected)
            if isInteractive { link.measureRoundTrip() }
        case .disconnected(let error), .failed(let error):
            link.use(nil)
            handle(.disconnected(reason: error.message))
        }
    }

    func handle(_ event: AppEvent) {
        for action in app.handle(event) { perform(action) }
        sendPresence()
    }

    func nextFrame() -> Screen { app.nextFrame() }

    /// Shows others where the person is.
    private func sendPresence() {
        guard isInteractive, let open else { return }
        let presence = Self.presence(of: &app)
        guard presence != sentPresence else { return }
        sentPresence = presence
        open.station.appear(presence)
    }

    /// In place: Swift copies all of what a class holds before it reads a part.
    private static func presence(of app: inout App) -> Presence { app.presence }

    private func perform(_ action: AppAction) {
        switch action {
        case .server(let token, let call): link.perform(call, token)
        case .cancel(let token): link.cancel(token)
        case .file(let call): perform(call)
        case .terminal(let effect): terminalEffect(effect)
        case .reconnect: open?.station.connectNow()
        case .end(let ending): end(ending)
        }
    }

    private func end(_ ending: Ending) {
        switch ending {
        case .quit(let code): exitCode = code
        case .pick(let rowIDs):
            picked = rowIDs
            exitCode = ExitStatus.ok.rawValue
        case .fail(let error): failure = error
        case .failCondition(let text, let error):
            failure = ConditionFailure(text: text, error: error)
        }
    }

    /// Off the terminal's thread: a disk may be slow.
    private func perform(_ call: FileCall) {
        fileErrands.run(
            for: outstanding, orBusy: "the file is still being read or written: try again",
            answer: { [queue] in queue.add(.fileAnswer(call, $0)) }
        ) { [queries] () throws(ValetError) -> FileReply in
            switch call {
            case .read: .queries(try await queries.read())
            case .save(let query): .saved(isReplaced: try await queries.save(query))
            }
        }
    }

    /// Ends the application, whatever it is doing: nobody is asked about what is not saved.
    func wasEnded(exitCode code: Int32) {
        wasEnded = true
        exitCode = exitCode ?? code
    }

    /// Keeps what was not saved for the next start.
    func keepDrafts() throws(ValetError) {
        // Nobody is asked where there is nothing to show any more, either.
        let newer = app.drafts(wasEnded: wasEnded || failure != nil)
        try drafts.keep(newer, insteadOf: keptDrafts)
        keptDrafts = newer
    }

    func measureRoundTrip() {
        link.measureRoundTrip()
    }

    /// Stops connecting and exporting.
    func end() -> Rest {
        attempt?.cancel()
        lookout?.cancel()
        link.exporting?.task.cancel()
        return Rest(open: open, exporting: link.exporting?.task)
    }

    /// What is still to be ended, where one can wait.
    struct Rest: Sendable {
        fileprivate let open: OpenTarget?
        fileprivate let exporting: Task<Void, Never>?

        /// A file that isn't finished goes.
        func end() async {
            await exporting?.value
            await open?.close()
        }
    }
}

extension AppEvent {
    fileprivate var isOutcome: Bool {
        if case .answer(_, .success(.outcome)) = self { true } else { false }
    }
}
