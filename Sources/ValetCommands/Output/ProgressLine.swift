import Foundation
import Synchronization

/// One line on standard error that tells how far long work is; nothing when that is no terminal.
struct ProgressLine {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var lastShown = ContinuousClock.now
    private var isShown = false

    mutating func show(_ words: String, done: Int, total: Int) {
        guard isTerminal, ContinuousClock.now - lastShown > .milliseconds(100) else { return }
        lastShown = .now
        isShown = true
        let percent = total > 0 ? " (\(100 * done / total) %)" : ""
        write("\r\u{1B}[K\(words)\(percent)")
    }

    mutating func end() {
        guard isShown else { return }
        isShown = false
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}

/// How far a view is that takes long to open; told by the connection's thread.
final class BuildingLine: Sendable {
    private let line = Mutex(ProgressLine())

    func show(thousandths: Int) {
        line.withLock { $0.show("building \(thousandths / 10) %", done: 0, total: 0) }
    }

    func end() {
        line.withLock { $0.end() }
    }
}
