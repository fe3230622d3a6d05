import ValetModel
import ValetTerminal

/// The full screen without a terminal: keys are pressed as a script says, and every frame that a
/// person would have seen is noted.
package struct PlayedTerminal: Sendable {
    package struct Press: Sendable {
        package var key: Key
        /// Since the first rows were shown.
        package var at: Duration

        package init(_ key: Key, at: Duration) {
            self.key = key
            self.at = at
        }
    }

    package struct Frame: Sendable {
        /// Since the first rows were shown.
        package var at: Duration
        /// What a terminal is sent, from the frame before.
        package var bytes: Int
        /// Rows that are not here yet, and were never seen.
        package var skeletons: Int
        /// Nothing that is shown is still under way.
        package var isWhole: Bool
        /// From the key until the bytes were made; nil for a frame without one.
        package var keyTime: Duration?
    }

    let target: TargetOptions
    let list: String
    let size: Size

    package init(target: String, list: String, size: Size) {
        self.target = TargetOptions(target: target)
        self.list = list
        self.size = size
    }

    /// Presses the keys, in order.
    /// - Parameters:
    ///   - rest: how long the last one is waited for.
    ///   - keysPerFrame: a key beyond these waits for the next frame, also if it is due.
    package func play(
        _ presses: [Press], rest: Duration, keysPerFrame: Int = .max
    ) async throws -> [Frame] {
        let (changes, yieldChange) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let queue = EventQueue { yieldChange.yield() }
        let session = AppSession(
            target: target, options: AppOptions(listName: list),
            size: size, queue: queue, outstanding: Outstanding(), isInteractive: true)
        session.connect()
        // As often as a terminal would draw, and more.
        let clock = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(2))
                yieldChange.yield()
            }
        }
        defer { clock.cancel() }
        var player = Player(presses, rest: rest, keysPerFrame: keysPerFrame)
        for await _ in changes where try player.step(session) { break }
        await session.end().end()
        return player.frames
    }

    private struct Player {
        var presses: ArraySlice<Press>
        let rest: Duration
        let keysPerFrame: Int
        var frames: [Frame] = []
        private let renderer = DiffRenderer(hasColors: true, term: "xterm-256color", colorTerm: nil)
        private var shown: Screen?
        private var start: ContinuousClock.Instant?
        private var end: Duration

        init(_ presses: [Press], rest: Duration, keysPerFrame: Int) {
            self.presses = presses[...]
            self.rest = rest
            self.keysPerFrame = keysPerFrame
            end = (presses.last?.at ?? .zero) + rest
        }

        /// - Returns: whether the play is over.
        mutating func step(_ session: AppSession) throws -> Bool {
            session.handle(.tick(milliseconds: session.milliseconds))
            session.drainQueue()
            if let failure = session.failure { throw failure }
            guard let start else {
                if session.app.showsRows { start = .now }
                return false
            }
            let keyed = ContinuousClock.now
            let now = keyed - start
            let due = presses.prefix(keysPerFrame).prefix { $0.at <= now }
            for press in due { session.handle(.key(press.key)) }
            presses = presses.dropFirst(due.count)
            draw(session, at: now, keyed: due.isEmpty ? nil : keyed)
            return presses.isEmpty && now >= end
        }

        private mutating func draw(
            _ session: AppSession, at now: Duration, keyed: ContinuousClock.Instant?
        ) {
            let screen = session.nextFrame()
            let bytes = renderer.bytes(from: shown, to: screen).count
            let keyTime = keyed.map { .now - $0 }
            let app = session.app
            guard bytes > 0 || app.isWhole != frames.last?.isWhole else { return }
            frames.append(
                Frame(
                    at: now, bytes: bytes, skeletons: app.skeletons, isWhole: app.isWhole,
                    keyTime: keyTime))
            shown = screen
        }
    }
}
