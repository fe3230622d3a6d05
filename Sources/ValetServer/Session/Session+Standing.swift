import NIOCore
import ValetModel

/// Windows that are answered again: those that stand, and those whose pages can't be read any more.
extension Session {
    /// What came of looking at all windows.
    struct Looks {
        var actions: [SessionAction] = []
        /// Approximate microseconds.
        var cost = 0
        /// When to look again, though nothing else happens.
        var next: NIODeadline?
    }

    /// How many windows changes of rows concern.
    var watchingWindows: Int { views.values.count { $0.answered?.isWatching == true } }

    /// True if a window waits for credit, for its last pages, or for its time.
    var hasPendingWindow: Bool { views.values.contains { $0.answered?.isPending == true } }

    /// Answers windows again whose answers would be others now.
    ///
    /// - Parameter isUrgent: true to answer now also what was answered a moment ago.
    mutating func lookAtWindows(
        _ surroundings: some SessionSurroundings, isUrgent: Bool = false
    ) -> Looks {
        var looks = Looks()
        for stream in views.keys.sorted() where views[stream]?.answered?.isWatching == true {
            look(at: stream, surroundings, isUrgent: isUrgent, &looks)
        }
        return looks
    }

    /// The client does not read: its windows are looked at when it does.
    mutating func windowsHeldUp() {
        for index in views.values.indices where views.values[index].answered?.isWatching == true {
            views.values[index].answered?.isPending = true
        }
    }

    /// Windows of this connection that its own command has altered are answered before its outcome
    /// [P88]. Those without credit, or whose last pages are not sent yet, stay pending.
    mutating func windowsAltered(_ surroundings: some SessionSurroundings) -> [SessionAction] {
        lookAtWindows(surroundings, isUrgent: true).actions
    }

    private mutating func look(
        at stream: UInt16, _ surroundings: some SessionSurroundings, isUrgent: Bool,
        _ looks: inout Looks
    ) {
        guard let index = views.index(forKey: stream), let answered = views.values[index].answered,
            let snapshot = surroundings.snapshot(ofList: views.values[index].list),
            answered.isPending || snapshot.revision != answered.looked,
            !answered.isOutdated || snapshot.revision > answered.revision
        else { return }
        looks.cost += 1
        guard outbox.isDone(stream: stream) else {
            views.values[index].answered?.isPending = true
            return
        }
        guard let shown = Self.shown(by: views.values[index], surroundings) else {
            let list = views.values[index].handle.description.name
            looks.actions += failed(stream, Self.unarranged(list))
            return
        }
        if views.values[index].answered?.isUnchanged(in: shown) == true { return }
        let now = surroundings.now
        guard isUrgent || answered.restsUntil <= now else {
            views.values[index].answered?.isPending = true
            looks.next = min(looks.next ?? .distantFuture, answered.restsUntil)
            return
        }
        looks.cost += 5 + answered.request.rows / 4
        answerAgain(answered, shown, stream: stream, at: now, isUrgent: isUrgent, &looks)
    }

    private mutating func answerAgain(
        _ last: AnsweredWindow, _ shown: ShownRows, stream: UInt16, at now: NIODeadline,
        isUrgent: Bool, _ looks: inout Looks
    ) {
        var answered = last
        defer { views[stream]?.answered = answered }
        guard let window = answered.window(in: shown.rows) else { return answered.gaveUp() }
        let answer = Self.answer(answered.request, window, shown)
        let digest = AnsweredWindow.Digest(of: answer)
        let verdict = answered.judge(digest, at: now)
        if verdict == .drop { return answered.dropped(answer, window, shown.rows.arrangement) }
        answered.isPending = true
        guard verdict == .send || isUrgent else {
            looks.next = min(looks.next ?? .distantFuture, answered.restsUntil)
            return
        }
        guard let paid = outbox.pay(.windowAnswer(answer), stream: stream) else { return }
        order(pagesOf: window, shown, held: last.held, stream: stream)
        answered.sent(answer, digest, window, shown.rows.arrangement, at: now)
        noteSent(shown)
        looks.actions.append(.sendPaid(paid))
    }
}

// MARK: - Pages that can't be had

extension Session {
    /// Rows of a page have changed before it was read: windows that show it are answered again with
    /// the next snapshot.
    mutating func pageOutdated(_ order: PageOrder) {
        outbox.filled(order.name)
        for stream in outbox.forget(order.name) {
            views[stream]?.answered?.lost(order.name, isOutdated: true)
        }
    }

    /// A page could not be read: its windows get the error.
    mutating func pageFailed(_ order: PageOrder, _ error: ValetError) -> [SessionAction] {
        outbox.filled(order.name)
        return outbox.forget(order.name).map { stream in
            views[stream]?.answered?.lost(order.name, isOutdated: false)
            return refusal(0, error, stream: stream)
        }
    }

    /// A list could not be read in anew: windows that stand, or wait for its rows, get the error
    /// [P103].
    mutating func rowsFailed(_ list: Int, _ error: ValetError) -> [SessionAction] {
        let watching = views.filter {
            $0.value.list == list && !$0.value.isPinned && $0.value.answered?.isWatching == true
        }
        return watching.keys.sorted().flatMap { failed($0, error) }
    }

    /// A client is told once, until the window is answered again.
    private mutating func failed(_ stream: UInt16, _ error: ValetError) -> [SessionAction] {
        guard views[stream]?.answered?.failed() == true else { return [] }
        return [refusal(0, error, stream: stream)]
    }
}
