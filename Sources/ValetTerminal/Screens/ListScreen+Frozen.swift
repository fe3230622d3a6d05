import ValetClient

/// What others have changed since a list was frozen.
struct FrozenList: Sendable {
    /// The newest answer, until the list is thawed.
    fileprivate(set) var waiting: Window?
    /// Answers that were not shown.
    fileprivate(set) var changeCount = 0
}

/// A frozen list shows nothing that was not asked for: what the person scrolls to is of the newest
/// revision, and stands then.
extension ListScreen {
    mutating func toggleFrozen(at milliseconds: Int) -> [ScreenOutcome] {
        guard let frozen else {
            self.frozen = FrozenList()
            return []
        }
        self.frozen = nil
        return frozen.waiting.map { take($0, at: milliseconds) } ?? []
    }

    /// True if a window has to wait until the list is thawed.
    mutating func keepsForLater(_ window: Window) -> Bool {
        guard frozen != nil, requests.outstanding == nil, let held = held.window, held.isComplete,
            held.generation == window.generation, held.revision != window.revision
        else { return false }
        // Its rows come with another answer.
        if window.revision != frozen?.waiting?.revision { frozen?.changeCount += 1 }
        frozen?.waiting = window
        return true
    }
}
