import ValetModel
import ValetProtocol

/// Windows and the pages that fill them.
extension ClientSession {
    /// The rows that a window shall show, and the person's scrolling.
    struct WindowWish {
        var anchor: Anchor
        var rowsBefore = 0
        var rows: Int
        var velocity = 0
        var isSettled = true
        /// Whether incomplete windows are delivered, too.
        var wantsParts = true
        /// Whether the window stands: at most so many newer ones a second are delivered.
        var answersPerSecond: UInt32?
    }

    /// Requests a window. It is delivered with the answer and again as pages arrive, until it is
    /// complete. A standing one goes on with each newer window that is complete. An older window of
    /// the view ends as superseded.
    mutating func requestWindow(
        _ number: ViewNumber, _ wish: WindowWish, _ actions: inout [ClientAction]
    ) throws(ValetError) -> Subscription {
        let index = try index(of: number)
        var window = WindowRequest(
            request: nextRequest(), generation: views.values[index].generation,
            anchor: wish.anchor, rowsBefore: wish.rowsBefore, rows: wish.rows,
            velocity: wish.velocity, roundTripMicroseconds: roundTripMicroseconds,
            isSettled: wish.isSettled, answersPerSecond: wish.answersPerSecond)
        try check(.windowRequest(window))
        window.held = views.values[index].mirror.pin(most: Limits.heldPagesPerWindow, from: pages)
        supersedeWindow(at: index, &actions)
        views.values[index].window = ClientView.WindowSubscription(
            request: window.request, wantsParts: wish.wantsParts,
            isStanding: wish.answersPerSecond != nil)
        let stream = views.keys[index]
        submit(window.request, .windowRequest(window), stream: stream, view: number, &actions)
        return Subscription(stream: stream, request: window.request)
    }

    /// A newer window or query replaces the pending window.
    mutating func supersedeWindow(at index: Int, _ actions: inout [ClientAction]) {
        guard let older = views.values[index].window else { return }
        withdraw(older.request)
        endWindow(at: index, ValetError(.superseded, "a newer request took its place"), &actions)
    }

    mutating func endWindow(at index: Int, _ error: ValetError, _ actions: inout [ClientAction]) {
        guard let window = views.values[index].window else { return }
        views.values[index].window = nil
        let subscription = Subscription(stream: views.keys[index], request: window.request)
        actions.append(.deliver(.failed(error), to: subscription))
        actions.append(.end(subscription))
    }

    mutating func windowAnswered(
        _ answer: WindowAnswer, _ byteCount: Int, stream: UInt16, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        let again = answeredBefore(answer.request, stream: stream)
        if again != nil { try spend(byteCount, "P104") }
        let asked =
            if let again { again } else {
                try settle(answer.request, stream: stream, &actions)
            }
        guard case .windowRequest(let request) = asked.message else {
            throw Self.wrongKind(answer.request)
        }
        guard answer.generation == request.generation else {
            throw .broken("P34", "generation \(answer.generation), not \(request.generation)")
        }
        let view = try advance(asked, request.generation, to: answer.revision)
        try answer.check(request, isFirst: again == nil)
        let index = try standing(asked)
        let totals = Totals(
            revision: answer.revision, rows: answer.totalRows, sections: answer.totalSections)
        guard totals.revision != view.totals.revision || totals == view.totals else {
            throw .broken("P45", "\(totals.rows) rows, before \(view.totals.rows) of one revision")
        }
        views.values[index].opened?.totals = totals
        views.values[index].answeredWindow = asked
        // The answer of a superseded window changes nothing.
        guard views.values[index].window?.request == answer.request else { return }
        for place in answer.pages { pages.touch(place.name) }
        try views.values[index].mirror.take(answer, of: request, from: &pages)
        views.values[index].window?.isAnswered = true
        try update(at: index, &actions)
    }

    /// [P74, P101] The last answered window request, if it has this number.
    private func answeredBefore(_ request: UInt32, stream: UInt16) -> AskedRequest? {
        guard let last = views[stream]?.answeredWindow,
            case .windowRequest(let window) = last.message, window.request == request
        else { return nil }
        return last
    }

    /// [P27] A page of the last answered window can't be read, or a standing one can't be answered
    /// now. A window without an answer is not affected.
    mutating func pageFailed(
        _ error: ValetError, stream: UInt16, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        guard let index = views.index(forKey: stream) else {
            throw .broken("P27", "a page of stream \(stream) failed, which has no view")
        }
        guard let window = views.values[index].window, window.isAnswered else { return }
        guard window.isStanding else { return endWindow(at: index, error, &actions) }
        let subscription = Subscription(stream: stream, request: window.request)
        actions.append(.deliver(.interrupted(error), to: subscription))
    }

    private mutating func update(
        at index: Int, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        guard let waiting = views.values[index].window, waiting.isAnswered else { return }
        let mirror = views.values[index].mirror
        let isComplete = mirror.isComplete
        guard isComplete || waiting.wantsParts && !waiting.hasBeenWhole,
            let window = mirror.window()
        else { return }
        if isComplete { try mirror.checkAnchor(of: window) }
        let subscription = Subscription(stream: views.keys[index], request: waiting.request)
        actions.append(.deliver(.window(window), to: subscription))
        guard isComplete else { return }
        views.values[index].window?.hasBeenWhole = true
        guard !waiting.isStanding else { return }
        views.values[index].window = nil
        actions.append(.end(subscription))
    }
}

// MARK: - Pages

extension ClientSession {
    /// Bytes of the largest page frame: header, name and sizes precede the encoding.
    static let largestPageFrame = Limits.bytesPerPageFrame + 24

    mutating func pageReceived(
        _ frame: PageFrame, byteCount: Int, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        guard frame.part.readableBytes <= Limits.bytesPerPageFrame else {
            throw .broken("P52", "a part of \(frame.part.readableBytes) bytes")
        }
        try spend(byteCount, "P60")
        traffic.bytes += byteCount
        guard let page = try assembler.add(frame) else { return }
        traffic.pages += 1
        traffic.rows += page.rowCount
        try show(page, frame.name, &actions)
    }

    mutating func spend(_ byteCount: Int, _ rule: String) throws(ValetError) {
        guard byteCount <= credit else {
            throw .broken(rule, "a frame of \(byteCount) bytes with credit for \(credit)")
        }
        credit -= byteCount
    }

    /// A page that no view shows now may be shown later [P51].
    private mutating func show(
        _ raw: RawPage, _ name: PageName, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        guard views.values.contains(where: { $0.mirror.shows(name) }) else {
            return pages.insert(raw, for: name)
        }
        let page = try DecodedPage(raw)
        pages.insert(raw, decoded: page, for: name)
        for index in views.values.indices where try views.values[index].mirror.take(page, name) {
            try update(at: index, &actions)
        }
    }

    /// Returns the credit of received pages in batches of a quarter of the grant; sooner if the
    /// rest might not cover the next page.
    mutating func returnCredit(_ actions: inout [ClientAction]) {
        let granted = hello.creditBytes
        let lump = max(1, min(granted / 4, granted - Self.largestPageFrame))
        let unreturned = granted - credit - bytesUntaken
        guard phase == .open, unreturned >= lump else { return }
        credit += unreturned
        actions.append(.send(.credit(Credit(byteCount: unreturned)), stream: 0))
    }
}
