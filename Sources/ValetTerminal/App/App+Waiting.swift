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
        /// The frame from before is shown.
        fileprivate var isFrameStanding: Bool
    }

    /// The newest that was drawn.
    struct Frame: Sendable {
        fileprivate let screen: Screen
        fileprivate let skeletons: Int
        fileprivate let isWhole: Bool
    }

    /// When the next tick is due; nil if nothing changes without an event.
    package var tickMilliseconds: Int? {
        if frontList?.requests.mayBeOvertaken == true { return WindowRequests.pauseMilliseconds }
        let due = aggregatesDueMilliseconds.map { max($0 - milliseconds, App.frameMilliseconds) }
        return wantsTicks ? App.frameMilliseconds : due
    }

    /// True while something on the screen is animated, or may have to change without an answer.
    var wantsTicks: Bool {
        if list?.isScrubbing == true || isPaneWaiting { return true }
        if isPaneShown, pane?.detail.row.hasChangeMarks == true { return true }
        if list?.waitingAct != nil || layers.all.contains(where: \.wantsTicks) { return true }
        if let waiting, milliseconds - waiting.since < App.slowMilliseconds { return true }
        return catalog == nil && catalogFailure == nil
    }

    /// True if what is shown is all here, or nothing is under way.
    private var isAnswered: Bool {
        guard connection.isConnected, catalog != nil else { return true }
        if linked.isAwaited || !layers.all.allSatisfy(\.isAnswered) { return false }
        return picker != nil || (list?.isAnswered ?? true)
    }

    /// True if nothing that is shown is still under way.
    package var isWhole: Bool { waiting == nil }

    package var showsRows: Bool { isWhole && list?.held.window != nil }

    /// Rows on the screen that are not here yet, and were never seen.
    package var skeletons: Int { standingFrame?.skeletons ?? frontList?.skeletons ?? 0 }

    var isSlow: Bool {
        guard let waiting, frontList?.thousandthsBuilt == nil else { return false }
        return milliseconds - waiting.since >= App.slowMilliseconds
    }

    /// After each event.
    /// - Parameter before: the size of the screen before it.
    mutating func keepFrame(ofSize before: Size) {
        if isAnswered {
            waiting = nil
            return
        }
        if waiting == nil {
            waiting = Waiting(since: milliseconds, isFrameStanding: frame?.isWhole == true)
        }
        // Progress is news, and a frame of another size can't be shown.
        if frontList?.thousandthsBuilt != nil || size != before {
            waiting?.isFrameStanding = false
        }
    }

    private var standingFrame: Frame? {
        guard let waiting, waiting.isFrameStanding,
            milliseconds - waiting.since < App.frameMilliseconds
        else { return nil }
        return frame
    }

    /// The screen as it is to be shown now.
    package func draw() -> Screen { standingFrame?.screen ?? drawNow() }

    /// Draws it, for a terminal that shows it: it stands while the next one is not whole.
    package mutating func nextFrame() -> Screen {
        if let standingFrame { return standingFrame.screen }
        let screen = drawNow()
        frame = Frame(screen: screen, skeletons: frontList?.skeletons ?? 0, isWhole: isWhole)
        return screen
    }
}
