/// What is shown while an answer is on its way.
///
/// The last whole frame stands until the next one is whole, or for a moment that nobody notices:
/// what comes sooner is one frame, without dim rows or skeletons before it.
extension App {
    /// How long a frame stands, and the usual time between ticks.
    private static let frameMilliseconds = 80
    /// A server that says nothing for so long is slow.
    private static let slowMilliseconds = 2_000

    struct Waiting: Sendable {
        /// On the clock in milliseconds.
        var since: Int
        /// Before it was asked.
        fileprivate var frame: Frame
    }

    fileprivate indirect enum Frame: Sendable {
        case none
        case of(App)
    }

    /// When the next tick is due; nil if nothing changes without an event.
    package var tickMilliseconds: Int? {
        if list?.requests.mayBeOvertaken == true { return WindowRequests.pauseMilliseconds }
        let due = aggregatesDueMilliseconds.map { max($0 - milliseconds, App.frameMilliseconds) }
        return wantsTicks ? App.frameMilliseconds : due
    }

    /// True while something on the screen is animated, or may have to change without an answer.
    var wantsTicks: Bool {
        if list?.isScrubbing == true || isPaneWaiting { return true }
        if isPaneShown, pane?.detail.row.hasChangeMarks == true { return true }
        if list?.waitingAct != nil || detail?.isWaiting == true { return true }
        if form?.isReading == true || detail?.row.hasChangeMarks == true { return true }
        if comparison?.rows.contains(where: \.hasChangeMarks) == true { return true }
        if let waiting, milliseconds - waiting.since < App.slowMilliseconds { return true }
        return catalog == nil && catalogFailure == nil
    }

    /// True if what is shown is all here, or nothing is under way.
    private var isAnswered: Bool {
        guard connection.isConnected, catalog != nil else { return true }
        if form?.isReading == true || linked.isAwaited { return false }
        let isRead = detail?.row.isAnswered ?? comparison?.rows.allSatisfy(\.isAnswered) ?? true
        return isRead && (list?.isAnswered ?? true)
    }

    /// True if nothing that is shown is still under way.
    package var isWhole: Bool { waiting == nil }

    package var showsRows: Bool { isWhole && list?.held.window != nil }

    /// Rows on the screen that are not here yet, and were never seen.
    package var skeletons: Int { shown.list?.skeletons ?? 0 }

    var isSlow: Bool {
        guard let waiting, list?.thousandthsBuilt == nil else { return false }
        return milliseconds - waiting.since >= App.slowMilliseconds
    }

    /// - Parameter before: the application before the last event.
    mutating func keepFrame(of before: App) {
        if isAnswered {
            waiting = nil
            return
        }
        if waiting == nil {
            var frame = before
            frame.waiting = nil
            waiting = Waiting(since: milliseconds, frame: before.isAnswered ? .of(frame) : .none)
        }
        // Progress is news, and a frame of another size can't be shown.
        if list?.thousandthsBuilt != nil || size != before.size { waiting?.frame = .none }
    }

    /// The application whose screen stands.
    var shown: App {
        guard let waiting, case .of(let before) = waiting.frame,
            milliseconds - waiting.since < App.frameMilliseconds
        else { return self }
        return before
    }
}
