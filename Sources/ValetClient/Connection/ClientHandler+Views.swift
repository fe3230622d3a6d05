import NIOCore
import ValetModel
import ValetProtocol

/// A view's mirror, and who waits for its window.
struct MirroredView {
    var mirror: Mirror
    var waiting: WaitingWindow?
    var building: Building?

    /// The newest question, as long as it has no answer.
    struct Building {
        var request: UInt32
        /// Hears how many thousandths are done.
        var progress: (Int) -> Void
    }

    struct WaitingWindow {
        var request: UInt32
        var isAnswered = false
        /// Whether a window of which rows are missing is worth telling.
        var wantsParts: Bool
        var update: (Result<Window, ValetError>) -> Void
    }
}

/// Windows and the pages that fill them.
extension ClientHandler {
    /// Asks for a window; `update` hears of the answer and of every page until all rows are here.
    /// An older window of the view that still waits ends as superseded.
    func requestWindow(
        stream: UInt16, wantsParts: Bool,
        _ make: (UInt32, [PageName], UInt32) -> WindowRequest,
        _ update: @escaping (Result<Window, ValetError>) -> Void
    ) {
        supersedeWindow(stream)
        guard views[stream] != nil else {
            return update(.failure(failure ?? ValetError(.unknownView, "the view is closed")))
        }
        let held = views[stream]!.mirror.pin(most: Limits.heldPagesPerWindow, from: pages)
        var sent: UInt32 = 0
        let roundTrip = roundTripMicroseconds
        sent = send({ make($0, held, roundTrip) }, stream: stream) { [weak self] result in
            guard case .failure(let error) = result else { return }
            self?.endWindow(stream, error, request: sent)
        }
        guard sent != 0 else {
            return update(.failure(failure ?? ValetConnection.mismatch))
        }
        views[stream]?.waiting = MirroredView.WaitingWindow(
            request: sent, wantsParts: wantsParts, update: update)
    }

    /// A newer window or question takes the place of the window that waits.
    func supersedeWindow(_ stream: UInt16) {
        endWindow(stream, ValetError(.superseded, "a newer request took its place"))
    }

    /// - Parameter request: only if the window is that request's.
    func endWindow(_ stream: UInt16, _ error: ValetError, request: UInt32? = nil) {
        guard let waiting = views[stream]?.waiting, waiting.request == request ?? waiting.request
        else { return }
        // Taken out before it is called: it may ask for the next window.
        views[stream]?.waiting = nil
        waiting.update(.failure(error))
    }

    /// From now on windows of the view may be asked for.
    func opening(_ stream: UInt16) {
        views[stream] = MirroredView(mirror: Mirror())
    }

    /// Asks the view's first question or a newer one; `progress` hears how far its rows are until
    /// `answer` is called.
    func ask(
        _ make: (UInt32) -> some Message, stream: UInt16, progress: @escaping (Int) -> Void,
        _ answer: @escaping Answer
    ) {
        var sent: UInt32 = 0
        sent = send(make, stream: stream) { [weak self] result in
            if let self, views[stream]?.building?.request == sent { views[stream]?.building = nil }
            answer(result)
        }
        guard sent != 0 else { return }
        views[stream]?.building = MirroredView.Building(request: sent, progress: progress)
    }

    /// What comes about another question than the newest is of no more interest.
    func progressed(_ progress: BuildProgress, stream: UInt16) {
        guard let building = views[stream]?.building, building.request == progress.request else {
            return
        }
        building.progress(Int(progress.thousandths))
    }

    func opened(_ answer: ViewOpened, stream: UInt16) {
        views[stream]?.mirror.columnCount = answer.columns.count
    }

    func closed(
        _ stream: UInt16, _ reason: ValetError = ValetError(.superseded, "the view was closed")
    ) {
        endWindow(stream, reason)
        views[stream] = nil
    }

    /// Closes a view that nobody holds any longer.
    func closeView(_ stream: UInt16) {
        guard failure == nil else { return }
        send({ CloseView(request: $0) }, stream: stream) { _ in }
    }

    func show(_ answer: WindowAnswer, stream: UInt16) throws(ValetError) {
        // The answer of a window that was superseded meanwhile changes nothing.
        guard views[stream]?.waiting?.request == answer.request else { return }
        for place in answer.pages { pages.touch(place.name) }
        try views[stream]!.mirror.take(answer, from: &pages)
        views[stream]!.waiting!.isAnswered = true
        update(stream)
    }

    func show(_ raw: RawPage, _ name: PageName) throws(ValetError) {
        guard views.values.contains(where: { $0.mirror.shows(name) }) else {
            return pages.insert(raw, for: name)
        }
        let page = try DecodedPage(raw)
        pages.insert(raw, decoded: page, for: name)
        for stream in Array(views.keys) {
            if try views[stream]?.mirror.take(page, name) ?? false { update(stream) }
        }
    }

    private func update(_ stream: UInt16) {
        guard let view = views[stream], let waiting = view.waiting, waiting.isAnswered else {
            return
        }
        let isComplete = view.mirror.isComplete
        if isComplete { views[stream]?.waiting = nil }
        guard isComplete || waiting.wantsParts, let window = view.mirror.window() else { return }
        waiting.update(.success(window))
    }
}
