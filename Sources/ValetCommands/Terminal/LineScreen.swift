import Foundation
import ValetModel
import ValetTerminal

/// Lines from standard input on the full screen, of which some are picked.
enum LineScreen {
    /// - Returns: the picked lines as they were read; nil if none was.
    static func run(
        hasHeader: Bool, takesSeveral: Bool, _ settings: Settings
    ) async throws -> [[UInt8]]? {
        let device = try FullScreen.device(
            settings, input: FullScreen.terminal(else: STDIN_FILENO),
            output: isatty(STDOUT_FILENO) == 0
                ? FullScreen.terminal(else: STDOUT_FILENO) : STDOUT_FILENO,
            hasMouse: false, others: "lines can't be picked without one")
        let reader = LineReader(of: STDIN_FILENO) { device.wake() }
        reader.start()
        return try await FullScreen.onOwnThread {
            TerminalDevice.useSignalStack()
            defer { device.close() }
            return pick(
                from: reader,
                LinePicker(
                    hasHeader: hasHeader, takesSeveral: takesSeveral, isASCII: settings.isASCII,
                    size: device.size), on: device, settings)
        }
    }

    private static func pick(
        from reader: LineReader, _ picker: LinePicker, on device: TerminalDevice,
        _ settings: Settings
    ) -> [[UInt8]]? {
        var picker = picker
        var renderer = DiffRenderer(
            hasColors: settings.hasColors, term: settings.terminal,
            colorTerm: settings.colorTerminal)
        var shown: Screen?
        let start = ContinuousClock.now
        var isWhole = false
        while true {
            let screen = picker.draw(at: Int((ContinuousClock.now - start) / .milliseconds(1)))
            if screen != shown { device.write(renderer.bytes(from: shown, to: screen)) }
            shown = screen
            // While lines come, a sign turns.
            var timeout = isWhole ? 60_000 : 100
            while let input = device.nextInput(timeoutMilliseconds: timeout) {
                timeout = 0
                switch input {
                case .event(.key(let key)):
                    switch picker.handle(key) {
                    case .picked(let numbers): return numbers.map { Array(picker.line($0)) }
                    case .cancelled: return nil
                    case nil: break
                    }
                case .event(.paste(let text)): picker.paste(text)
                case .event(.synchronizedOutput): renderer.hasSynchronizedOutput = true
                case .resized(let size), .resumed(let size):
                    shown = nil
                    picker.resize(to: size)
                case .stopRequested: device.suspend()
                case .terminationRequested, .ended: return nil
                case .event: break
                }
            }
            let (chunks, ended) = reader.take()
            for lines in chunks { picker.add(lines) }
            if ended, !isWhole {
                isWhole = true
                picker.ended()
            }
        }
    }
}

/// Reads lines on a thread of its own, as fast as they come.
private final class LineReader: Sendable {
    private struct State {
        var chunks: [[ArraySlice<UInt8>]] = []
        var isEnded = false
    }

    private let state = Mutex(State())
    private let descriptor: Int32
    private let whenRead: @Sendable () -> Void
    private static let bytesPerRead = 1 << 18

    init(of descriptor: Int32, whenRead: @escaping @Sendable () -> Void) {
        (self.descriptor, self.whenRead) = (descriptor, whenRead)
    }

    /// What was read since the last time.
    func take() -> (chunks: [[ArraySlice<UInt8>]], isEnded: Bool) {
        state.withLock { state in
            defer { state.chunks = [] }
            return (state.chunks, state.isEnded)
        }
    }

    func start() { Thread.detachNewThread { [self] in read() } }

    private func read() {
        var (rest, buffer): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: Self.bytesPerRead))
        var bytes = 0
        while true {
            let count = buffer.withUnsafeMutableBytes {
                Foundation.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0, bytes < Limits.bytesPicked else { break }
            bytes += count
            rest += buffer[..<count]
            guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            add(Array(rest[..<end]))
            rest = Array(rest[(end + 1)...])
        }
        if !rest.isEmpty { add(rest) }
        state.withLock { $0.isEnded = true }
        whenRead()
    }

    /// - Parameter bytes: whole lines, but for the end of the last.
    private func add(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
        let starts = stride(from: 0, to: lines.count, by: LineChunk.mostLines)
        let chunks = starts.map { Array(lines[$0..<min($0 + LineChunk.mostLines, lines.count)]) }
        state.withLock { $0.chunks += chunks }
        whenRead()
    }
}
