import ValetClient
import ValetModel
import ValetTerminal

/// An event for a session of the application, from any thread.
enum SessionEvent: Sendable {
    case app(AppEvent)
    /// A view that a frozen list asked for.
    case pinned(CallToken, Result<ViewSummary, ValetError>)
    /// A call has read all rows that match.
    case matchingEnded(CallToken)
    /// No section's title begins with the text that a call names.
    case sectionWanted(CallToken, String)
    /// The answer to a query of the `SectionsReader`, by its number.
    case sectionsOpened(Int, Result<ViewSummary, ValetError>)
    case opened(OpenTarget)
    case openingFailed(any Error)
    case news(ValetStation.News)
}

extension SessionEvent {
    /// What an event is the newest state of.
    fileprivate enum News: Equatable {
        case window(CallToken)
        case progress(CallToken)
        case roundTrip
        case others
        case node
        case connecting
        case connected
        case disconnected
    }

    fileprivate var news: News? {
        switch self {
        case .app(.answer(let token, .success(.window))): .window(token)
        case .app(.answer(let token, .success(.building))),
            .app(.answer(let token, .success(.export(.running)))),
            .app(.answer(let token, .success(.refreshing))):
            .progress(token)
        case .app(.roundTrip): .roundTrip
        case .app(.othersChanged): .others
        case .app(.nodeChanged): .node
        case .news(.connecting): .connecting
        case .news(.connected): .connected
        case .news(.disconnected), .news(.failed): .disconnected
        case .app, .pinned, .matchingEnded, .sectionWanted, .sectionsOpened, .opened,
            .openingFailed:
            nil
        }
    }
}

/// Events for the application's thread, in order. A thread that waits for its terminal does not
/// take them: of what only the newest counts of, one is kept, and when too many others wait,
/// nothing more is read from the server.
final class EventQueue: Sendable {
    /// Answers and news that wait before reading stops.
    static let most = 256

    private struct State {
        var events: [SessionEvent] = []
        var isFull = false
        var whenFull: @Sendable (_ isFull: Bool) -> Void = { _ in }
    }

    private let state = Mutex(State())
    private let whenFilled: @Sendable () -> Void

    init(whenFilled: @escaping @Sendable () -> Void) {
        self.whenFilled = whenFilled
    }

    /// - Parameter pause: stops what fills the queue, or lets it go on.
    func onFull(_ pause: @escaping @Sendable (_ isFull: Bool) -> Void) {
        state.withLock { $0.whenFull = pause }
    }

    func add(_ event: AppEvent) {
        add(.app(event))
    }

    func add(_ event: SessionEvent) {
        state.withLock { state in
            if let news = event.news { state.events.removeAll { $0.news == news } }
            state.events.append(event)
            guard !state.isFull, state.events.count >= EventQueue.most else { return }
            state.isFull = true
            state.whenFull(true)
        }
        whenFilled()
    }

    func takeAll() -> [SessionEvent] {
        state.withLock { state in
            if state.isFull { state.whenFull(false) }
            state.isFull = false
            return exchange(&state.events, with: [])
        }
    }
}
