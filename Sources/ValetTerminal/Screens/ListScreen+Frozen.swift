import ValetClient
import ValetModel

/// A list that stands as it is at one revision.
struct FrozenList: Sendable {
    /// nil until the server keeps the rows: what is asked for before is of the newest revision.
    fileprivate(set) var revision: UInt64?
    /// Of the changes counted.
    fileprivate var newestRevision: UInt64 = 0
    /// Answers that were not shown.
    fileprivate(set) var changeCount = 0
    /// It stands in place of one of an earlier moment, which the person has to be told.
    fileprivate let isAnew: Bool

    /// What waited is shown now.
    mutating func shown(_ revision: UInt64) {
        if newestRevision <= revision { changeCount = 0 }
    }
}

/// A frozen list is shown by a pinned view of the same query, so that whatever a person scrolls
/// to, opens or copies is of one revision. The list's own view stands on beside it and says what
/// changes. What is shown stays until the other view's rows are whole.
extension ListScreen {
    mutating func toggleFrozen() -> [ScreenOutcome] {
        guard frozen == nil else { return thaw() }
        guard isConnected else { return [.say("Offline: the list can't be frozen")] }
        return freeze()
    }

    /// - Parameter isAnew: for another query.
    mutating func freeze(isAnew: Bool = false) -> [ScreenOutcome] {
        frozen = FrozenList(isAnew: isAnew)
        return [.call(.pinView(generation: view.generation))]
    }

    /// To take in one's own change.
    mutating func freezeAfterOwnChange() -> [ScreenOutcome] {
        [.sayMore(", and frozen again")] + freeze() + askForSameRows()
    }

    mutating func thaw() -> [ScreenOutcome] {
        frozen = nil
        return [.unpin] + askForSameRows()
    }

    /// - Parameter error: why the rows are not kept, or can't be read, any more.
    mutating func thaw(because error: ValetError) -> [ScreenOutcome] {
        let reason =
            error.code == .expired ? "the server has dropped those rows" : error.description
        return [.say("No longer frozen: \(reason)")] + thaw()
    }

    /// The server keeps the rows of this revision from now on.
    mutating func pinned(generation pinned: UInt32, revision: UInt64) -> [ScreenOutcome] {
        guard frozen != nil, pinned == view.generation else { return [] }
        frozen?.revision = revision
        frozen?.shown(revision)
        let isShown =
            viewport.requests.outstanding == nil && held.window?.generation == view.generation
            && held.window?.revision == revision && held.window?.isComplete == true
        let words =
            frozen?.isAnew == true ? [ScreenOutcome.say("Frozen again, at the newest rows")] : []
        return words + (isShown ? [] : askForSameRows())
    }

    mutating func pinFailed(generation failed: UInt32, _ error: ValetError) -> [ScreenOutcome] {
        guard frozen != nil, failed == view.generation, isConnected else { return [] }
        return [.say("Not frozen: \(error.description)")] + thaw()
    }

    /// True if a window has to wait until the list is thawed: nobody asked for it.
    mutating func keepsForLater(_ window: Window) -> Bool {
        guard let frozen, frozen.revision == nil, viewport.requests.outstanding == nil,
            let held = held.window, held.isComplete, held.generation == window.generation,
            held.revision != window.revision
        else { return false }
        changedMeanwhile(generation: window.generation, revision: window.revision)
        return true
    }

    mutating func changedMeanwhile(generation changed: UInt32, revision: UInt64) {
        guard changed == view.generation, let frozen,
            revision > max(frozen.newestRevision, frozen.revision ?? held.window?.revision ?? 0)
        else { return }
        self.frozen?.newestRevision = revision
        self.frozen?.changeCount += 1
    }
}
