import Foundation
import NIOPosix
import ValetClient
import ValetModel
import ValetStore
import ValetTerminal

/// The full-screen client: one thread that reads keys, handles events, and draws when they are used
/// up.
enum FullScreen {
    /// Together with `AppLink.longestRoundTrip`: a person sees within five seconds that a server
    /// has gone.
    private static let roundTripSeconds = 3

    /// How it ended.
    struct Result: Sendable {
        var exitCode: Int32
        /// Ids of the rows that were picked.
        var picked: [Int64] = []
    }

    /// - Parameter imported: what the target's CSV files became.
    static func run(
        _ target: TargetOptions, _ options: AppOptions, _ settings: Settings,
        imported: ImportedFiles? = nil
    ) async throws -> Result {
        let device = try device(for: target, picks: options.picks, settings)
        let ending = try await onOwnThread {
            let loop = Loop(
                device: device, target: target, imported: imported, options: options,
                settings: settings)
            return loop.run()
        }
        await ending.rest.end()
        return try ending.result.get()
    }

    /// Runs what blocks in `poll`.
    static func onOwnThread<Result: Sendable>(
        _ body: @escaping @Sendable () -> Result
    ) async throws -> Result {
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        let result = try await thread.runIfActive(body)
        try await thread.shutdownGracefully()
        return result
    }

    private static func device(
        for target: TargetOptions, picks: Bool, _ settings: Settings
    ) throws -> TerminalDevice {
        // Rows may come from standard input, and what is picked goes to standard output.
        let takesRows = target.target == "-" || picks && isatty(STDIN_FILENO) == 0
        return try device(
            settings, input: takesRows ? terminal(else: STDIN_FILENO) : STDIN_FILENO,
            output: picks && isatty(STDOUT_FILENO) == 0
                ? terminal(else: STDOUT_FILENO) : STDOUT_FILENO,
            hasMouse: settings.hasMouse,
            others: "rows, sections and get print what is in a list, and snapshot draws a screen: "
                + "see valet --help")
    }

    /// - Parameter others: the commands that need no terminal.
    static func device(
        _ settings: Settings, input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO,
        hasMouse: Bool, others: String
    ) throws -> TerminalDevice {
        guard settings.terminal != "dumb" else {
            throw CommandFailure(
                .usage,
                "the full screen needs a terminal that can move its cursor, but TERM is dumb; "
                    + others)
        }
        do {
            return try TerminalDevice.open(
                inputDescriptor: input, outputDescriptor: output, hasMouse: hasMouse)
        } catch {
            throw CommandFailure(.usage, "\(error); \(others)")
        }
    }

    /// The terminal that the process belongs to, whatever its standard streams are.
    static func terminal(else standard: Int32) -> Int32 {
        let terminal = Foundation.open("/dev/tty", O_RDWR | O_CLOEXEC)
        return terminal < 0 ? standard : terminal
    }

    private struct Ending: Sendable {
        var result: Swift.Result<FullScreen.Result, any Error>
        var rest: AppSession.Rest
    }

    private final class Loop {
        private let device: TerminalDevice
        private let session: AppSession
        private var renderer: DiffRenderer
        private var shown: Screen?
        private var lastRoundTrip = 0

        init(
            device: TerminalDevice, target: TargetOptions, imported: ImportedFiles?,
            options: AppOptions, settings: Settings
        ) {
            self.device = device
            renderer = DiffRenderer(
                hasColors: settings.hasColors, term: settings.terminal,
                colorTerm: settings.colorTerminal)
            let queue = EventQueue { device.wake() }
            session = AppSession(
                target: target, imported: imported, options: options, size: device.size,
                queue: queue,
                outstanding: Outstanding(), isInteractive: true)
        }

        func run() -> Ending {
            TerminalDevice.useSignalStack()
            session.terminalEffect = { [unowned self] in perform($0) }
            // The first frame is drawn before the first request is sent.
            draw()
            if renderer.canShade { device.askAboutItself() }
            session.connect()
            while session.exitCode == nil, session.failure == nil {
                takeInput()
                draw()
                keepTime()
            }
            // Whatever is not saved is kept first: another signal may end the process.
            var failure = keepDrafts()
            if session.app.isSaving {
                waitForOutcomes()
                failure = keepDrafts()
            }
            device.close()
            let result: Swift.Result<FullScreen.Result, any Error> =
                if let failure = session.failure ?? failure {
                    .failure(failure)
                } else {
                    .success(
                        Result(
                            exitCode: session.exitCode ?? ExitStatus.ok.rawValue,
                            picked: session.picked))
                }
            return Ending(result: result, rest: session.end())
        }

        private static let outcomeMilliseconds = 1_000

        /// What was saved just before a signal has a moment to be stored.
        private func waitForOutcomes() {
            let end = session.milliseconds + Loop.outcomeMilliseconds
            while session.app.isSaving, session.milliseconds < end {
                // The terminal may be gone, and its end would be all that comes.
                usleep(10_000)
                session.drainQueue()
            }
        }

        /// - Returns: why that can't be done.
        private func keepDrafts() -> ValetError? {
            do throws(ValetError) {
                try session.keepDrafts()
                return nil
            } catch {
                return error
            }
        }

        /// Waits for something to happen, then takes all that has: one frame for a burst of keys.
        private func takeInput() {
            var timeout = session.app.tickMilliseconds ?? 1_000 * FullScreen.roundTripSeconds
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
            case .event(.pasteTooLong): session.handle(.pasteTooLong)
            case .event(.background(let color)):
                renderer.shade = color.shade
                shown = nil
            case .event(.synchronizedOutput): renderer.hasSynchronizedOutput = true
            case .resized(let size): session.handle(.resized(size))
            case .resumed(let size):
                shown = nil
                session.handle(.resized(size))
            case .stopRequested: device.suspend()
            // As a shell reports a program that the signal ended.
            case .terminationRequested(let signal): session.wasEnded(exitCode: 128 + signal)
            case .ended: session.wasEnded(exitCode: 128 + SIGHUP)
            }
        }

        private func perform(_ effect: TerminalEffect) {
            switch effect {
            case .suspend: device.suspend()
            case .redraw: shown = nil
            case .copy(let text): device.copy(text)
            case .useMouse(let isOn): device.useMouse(isOn)
            }
        }

        private func draw() {
            let screen = session.nextFrame()
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
