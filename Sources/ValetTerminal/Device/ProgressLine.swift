import ValetModel

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One line on standard error that shows the progress of long work, if that is a terminal.
///
/// A process has one such line, and any thread may write it.
package final class ProgressLine: Sendable {
    package static let standardError = ProgressLine(
        descriptor: STDERR_FILENO, isTerminal: isatty(STDERR_FILENO) == 1)

    private struct State {
        var isShown = false
        /// Progress before this moment is not shown.
        var next: ContinuousClock.Instant
    }

    private let descriptor: Int32
    private let isTerminal: Bool
    private let interval: Duration
    private let state: Mutex<State>

    init(descriptor: Int32, isTerminal: Bool, interval: Duration = .milliseconds(100)) {
        self.descriptor = descriptor
        self.isTerminal = isTerminal
        self.interval = interval
        state = Mutex(State(next: .now + interval))
    }

    /// Shows at once that another stage of the work begins, since it may last long.
    package func begin(_ words: String) {
        guard isTerminal else { return }
        state.withLock { write(words, &$0) }
    }

    /// Shows the progress at most ten times a second, and never for work that is done at once.
    package func show(_ words: @autoclosure () -> String) {
        guard isTerminal else { return }
        state.withLock { state in
            guard ContinuousClock.now >= state.next else { return }
            write(words(), &state)
        }
    }

    /// Clears the line, so that other output begins on a line of its own.
    package func end() {
        state.withLock { state in
            if state.isShown { write("", &state) }
            state.isShown = false
        }
    }

    private func write(_ words: String, _ state: inout State) {
        state.isShown = true
        state.next = .now + interval
        let bytes = Array("\r\u{1B}[K\(Sanitizer().line(of: words))".utf8)
        // Progress is not worth waiting for a slow terminal.
        _ = systemWrite(descriptor, bytes, bytes.count)
    }
}
