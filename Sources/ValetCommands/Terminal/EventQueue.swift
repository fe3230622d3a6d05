import Synchronization
import ValetClient
import ValetModel
import ValetTerminal

/// An event for a session of the application, from any thread.
enum SessionEvent: Sendable {
    case app(AppEvent)
    /// The answer to a window request.
    case window(number: Int, AppEvent)
    /// A view that a frozen list asked for.
    case pinned(number: Int, Result<ValetView, ValetError>)
    /// All rows that match were read.
    case matchingEnded
    case opened(OpenTarget)
    case openingFailed(any Error)
    case news(ValetStation.News)
}

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
        events.withLock { $0.append(event) }
        whenFilled()
    }

    func takeAll() -> [SessionEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
