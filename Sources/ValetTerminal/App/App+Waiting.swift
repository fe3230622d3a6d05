/// The frame that is shown, and when the next one is due.
extension App {
    /// When the next tick is due; nil if nothing changes without an event.
    package var tickMilliseconds: Int? {
        if frontList?.viewport.requests.mayBeOvertaken == true {
            return WindowRequests.pauseMilliseconds
        }
        let fitDue = isListSeen ? list?.fitDueMilliseconds : nil
        let layersDue = layers.all.compactMap(\.dueMilliseconds).min()
        let due = [aggregatesDueMilliseconds, fitDue, layersDue].compactMap(\.self).min().map {
            max($0 - milliseconds, Frames.standingMilliseconds)
        }
        return wantsTicks ? Frames.standingMilliseconds : due
    }

    /// True while something on the screen is animated, or may have to change without an answer.
    var wantsTicks: Bool {
        if list?.viewport.isScrubbing == true || isPaneWaiting { return true }
        if isPaneShown, pane.shown?.detail.row.hasRecentChanges == true { return true }
        if list?.viewport.waiting != nil || layers.all.contains(where: \.wantsTicks) { return true }
        if !isWhole, !frames.isSlow(at: milliseconds) { return true }
        return catalog == nil && catalogReading.failure == nil
    }

    /// True if what is shown is all here, or nothing is under way.
    private var isAnswered: Bool {
        guard connection.isConnected, catalog != nil else { return true }
        if linked.isAwaited || !layers.all.allSatisfy(\.isAnswered) { return false }
        return picker != nil || (list?.isAnswered ?? true)
    }

    /// True if nothing that is shown is still under way.
    package var isWhole: Bool { frames.isWhole }

    package var showsRows: Bool { isWhole && list?.held.window != nil }

    /// Rows on the screen that are not here yet, and were never seen.
    package var skeletons: Int {
        frames.standing(at: milliseconds) == nil ? frontList?.skeletons ?? 0 : 0
    }

    var isSlow: Bool { frontView?.thousandthsBuilt == nil && frames.isSlow(at: milliseconds) }

    /// After each event.
    /// - Parameter before: the size of the screen before it.
    mutating func keepFrame(ofSize before: Size) {
        // Progress is news, and a frame of another size can't be shown.
        let isNews = frontView?.thousandthsBuilt != nil || size != before
        frames.handled(isAnswered: isAnswered, isNews: isNews, at: milliseconds)
    }

    /// The screen as it is to be shown now.
    package func draw() -> Screen { frames.standing(at: milliseconds) ?? drawNow() }

    /// Draws it, for a terminal that shows it: it stands while the next one is not whole.
    package mutating func nextFrame() -> Screen {
        if let standing = frames.standing(at: milliseconds) { return standing }
        let screen = drawNow()
        frames.drew(screen)
        return screen
    }

    // MARK: Values of columns in the list that is looked at

    mutating func readAggregates() -> [AppAction] {
        guard isListSeen else { return [] }
        return run(list?.askForAggregates(at: milliseconds) ?? [])
    }

    /// When a tick may ask for some; nil if none are missing.
    var aggregatesDueMilliseconds: Int? { isListSeen ? list?.aggregatesDueMilliseconds : nil }

    var isListSeen: Bool { !layers.all.contains(where: \.isOpaque) }
}
