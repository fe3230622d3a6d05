/// What is shown while an answer is on its way.
///
/// The last whole frame stands until the next one is whole, or for a moment that nobody notices:
/// what comes sooner is one frame, without dim rows or skeletons before it.
struct Frames: Sendable {
    /// How long a frame stands, and the usual time between ticks.
    static let standingMilliseconds = 80
    /// A server that says nothing for so long is slow.
    static let slowMilliseconds = 2_000

    private struct Frame: Sendable {
        let screen: Screen
        let isWhole: Bool
    }

    private struct Waiting: Sendable {
        /// On the clock in milliseconds.
        let since: Int
        /// The frame from before is shown.
        var isFrameStanding: Bool
    }

    /// nil if no answer is missing.
    private var waiting: Waiting?
    private var newest: Frame?

    var isWhole: Bool { waiting == nil }

    /// After each event.
    /// - Parameter isNews: what the event brought is to be shown at once.
    mutating func handled(isAnswered: Bool, isNews: Bool, at milliseconds: Int) {
        guard !isAnswered else {
            waiting = nil
            return
        }
        if waiting == nil {
            waiting = Waiting(since: milliseconds, isFrameStanding: newest?.isWhole == true)
        }
        if isNews { waiting?.isFrameStanding = false }
    }

    /// The whole frame that stands; nil if another is to be drawn.
    func standing(at milliseconds: Int) -> Screen? {
        guard let waiting, waiting.isFrameStanding,
            milliseconds - waiting.since < Frames.standingMilliseconds
        else { return nil }
        return newest?.screen
    }

    mutating func drew(_ screen: Screen) { newest = Frame(screen: screen, isWhole: isWhole) }

    /// Whether an answer has been missing for long.
    func isSlow(at milliseconds: Int) -> Bool {
        waiting.map { milliseconds - $0.since >= Frames.slowMilliseconds } ?? false
    }
}
