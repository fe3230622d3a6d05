import Synchronization
import ValetClient
import ValetModel
import ValetTerminal

/// An event for a session of the application, from any thread.
enum SessionEvent: Sendable {
    case app(AppEvent)
    /// A view that a frozen list asked for.
    case pinned(CallToken, Result<ValetView, ValetError>)
    /// All rows that match were read.
    case matchingEnded
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
    }

    fileprivate var news: News? {
        switch self {
        case .app(.answer(let token, .success(.window))): .window(token)
        case .app(.answer(let token, .success(.building))),
            .app(.answer(let token, .success(.refreshing))):
            .progress(token)
        case .app(.roundTrip): .roundTrip
        case .app(.othersChanged): .others
        case .app, .pinned, .matchingEnded, .opened, .openingFailed, .news: nil
        }
    }
}

/// Events for the application's thread, in order. A thread that waits for its terminal does not
/// take them: of what only the newest counts of, one is kept. All others are answers, so there are
/// no more of them than the application has asked for.
final class EventQueue: Sendable {
    private let events = Mutex<[SessionEvent]>([])
    private let whenFilled: @Sendable () -> Void

    init(whenFilled: @escaping @Sendable () -> Void) {
        self.whenFilled = whenFilled
    }

    func add(_ event: AppEvent) {
        add(.app(event))
    }

    func add(_ event: SessionEvent) {
        events.withLock { events in
            if let news = event.news { events.removeAll { $0.news == news } }
            events.append(event)
        }
        whenFilled()
    }

    func takeAll() -> [SessionEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
