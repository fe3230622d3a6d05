import Foundation
import Synchronization
import ValetClient
import ValetModel
import ValetStore
import ValetTerminal

/// The full-screen client: one thread that reads keys, handles events, and draws when they are used
/// up.
enum FullScreen {
    private static let roundTripSeconds = 5

    /// - Parameter imported: what the target's CSV files became.
    static func run(
        _ target: TargetOptions, _ options: AppOptions, imported: ImportedFiles? = nil
    ) async throws -> Int32 {
        let device: TerminalDevice
        do {
            device = try TerminalDevice.open(inputDescriptor: keyboard(besides: target))
        } catch {
            throw CommandFailure(
                .usage, "\(error); for scripts there are subcommands, see valet --help")
        }
        let (endings, yieldEnding) = AsyncStream<Ending>.makeStream()
        // A thread of its own: it blocks in `poll`.
        Thread.detachNewThread {
            let loop = Loop(
                device: device, target: target, imported: imported, options: options)
            yieldEnding.yield(loop.run())
            yieldEnding.finish()
        }
        for await ending in endings {
            await ending.open?.close()
            return try ending.code.get()
        }
        return ExitStatus.failed.rawValue
    }

    /// Standard input, or the terminal itself where rows came from standard input.
    private static func keyboard(besides target: TargetOptions) -> Int32 {
        guard target.target == "-" else { return STDIN_FILENO }
        let terminal = Foundation.open("/dev/tty", O_RDWR | O_CLOEXEC)
        return terminal < 0 ? STDIN_FILENO : terminal
    }

    private struct Ending: Sendable {
        var code: Result<Int32, any Error>
        /// Still to be closed.
        var open: OpenTarget?
    }

    private final class Loop {
        private let device: TerminalDevice
        private let session: AppSession
        private var renderer: DiffRenderer
        private var shown: Screen?
        private var lastRoundTrip = 0

        init(
            device: TerminalDevice, target: TargetOptions, imported: ImportedFiles?,
            options: AppOptions
        ) {
            self.device = device
            renderer = DiffRenderer(
                noColor: TerminalChoices.value("NO_COLOR"), term: TerminalChoices.value("TERM"),
                colorTerm: TerminalChoices.value("COLORTERM"))
            let queue = EventQueue { device.wake() }
            session = AppSession(
                target: target, imported: imported, options: options, size: device.size,
                queue: queue,
                outstanding: Outstanding(), isInteractive: true)
        }

        func run() -> Ending {
            session.terminalAction = { [unowned self] in perform($0) }
            // The first frame is drawn before the first request is sent.
            draw()
            session.connect()
            while session.exitCode == nil, session.failure == nil {
                takeInput()
                draw()
                keepTime()
            }
            device.close()
            let code: Result<Int32, any Error> =
                if let failure = session.failure {
                    .failure(failure)
                } else {
                    .success(session.exitCode ?? ExitStatus.ok.rawValue)
                }
            return Ending(code: code, open: session.end())
        }

        /// Waits for something to happen, then takes all that has: one frame for a burst of keys.
        private func takeInput() {
            var timeout = session.app.wantsTicks ? 100 : 1_000 * FullScreen.roundTripSeconds
            while let input = device.nextInput(timeoutMilliseconds: timeout) {
                session.handle(.tick(milliseconds: session.milliseconds))
                handle(input)
                if session.exitCode != nil { return }
                timeout = 0
            }
            session.handle(.tick(milliseconds: session.milliseconds))
            session.drainQueue()
        }

        private func handle(_ input: TerminalInput) {
            switch input {
            case .event(.key(let key)): session.handle(.key(key))
            case .event(.mouse(let mouse)): session.handle(.mouse(mouse))
            case .event(.paste(let text)): session.handle(.paste(text))
            case .resized(let size): session.handle(.resized(size))
            case .resumed(let size):
                shown = nil
                session.handle(.resized(size))
            case .stopRequested: device.suspend()
            // As a shell reports a program that the signal ended.
            case .terminationRequested(let signal): session.quit(exitCode: 128 + signal)
            case .ended: session.quit(exitCode: 128 + SIGHUP)
            }
        }

        private func perform(_ action: AppAction) {
            switch action {
            case .suspend: device.suspend()
            case .redraw: shown = nil
            case .copy(let text): device.copy(text)
            case .openView, .closeView, .requestWindow, .requestIndex, .findSection,
                .requestDetail, .submit, .countRows, .readCatalog, .reconnect, .quit, .fail:
                preconditionFailure("not for the terminal")
            }
        }

        private func draw() {
            let screen = session.app.draw()
            guard screen != shown else { return }
            device.write(renderer.bytes(from: shown, to: screen))
            shown = screen
        }

        private func keepTime() {
            let now = session.milliseconds
            guard now - lastRoundTrip >= 1_000 * FullScreen.roundTripSeconds else { return }
            lastRoundTrip = now
            session.measureRoundTrip()
        }
    }
}
