import ArgumentParser
import Foundation
import ValetModel
import ValetTerminal

struct TopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top", abstract: "Watch the clients, memory and work of the server.",
        discussion: """
            The numbers of `valet stats`, as they go on: what rises is shown by the second. If the \
            server goes away, its last numbers stay until it is back. Space pauses, q quits.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var screen: ScreenOptions

    @Option(help: "The time between two looks, such as 1s or 1m.")
    var every = Interval(duration: .seconds(1))

    func run() async throws {
        try await target.meetServer()
        let settings = try screen.settings()
        try await OpenTarget.with(target, attempts: .max) { open in
            // Who may not ask is told so as by `valet stats`.
            let first = try await open.connection.statistics()
            var overview = ServerOverview(title: target.target, isASCII: settings.isASCII)
            overview.take(first, at: 0)
            let device = try FullScreen.device(
                settings, hasMouse: false, others: "valet stats prints the numbers once")
            let top = TopScreen(device, open, overview, settings)
            let code = try await top.run(interval: every.duration)
            if code != 0 { throw ExitCode(code) }
        }
    }
}

/// Shows a server's statistics until a person has seen enough: a task asks, a thread draws.
private final class TopScreen: Sendable {
    private let device: TerminalDevice
    private let open: OpenTarget
    private let overview: Mutex<ServerOverview>
    private let settings: Settings
    private let start = ContinuousClock.now

    init(
        _ device: TerminalDevice, _ open: OpenTarget, _ overview: ServerOverview,
        _ settings: Settings
    ) {
        (self.device, self.open, self.settings) = (device, open, settings)
        self.overview = Mutex(overview)
    }

    /// - Returns: the exit code.
    func run(interval: Duration) async throws -> Int32 {
        let asking = Task {
            while (try? await Task.sleep(for: interval)) != nil { await look() }
        }
        defer {
            asking.cancel()
            device.close()
        }
        return try await FullScreen.onOwnThread { self.loop() }
    }

    private func look() async {
        guard !overview.withLock(\.isPaused) else { return }
        do throws(ValetError) {
            guard let connection = open.station.connection else {
                throw ValetError(.shuttingDown, "the connection is lost; trying again")
            }
            let statistics = try await connection.statistics()
            let now = Int((ContinuousClock.now - start) / .milliseconds(1))
            overview.withLock { $0.take(statistics, at: now) }
        } catch {
            overview.withLock { $0.trouble = error.message }
        }
        device.wake()
    }

    private func loop() -> Int32 {
        TerminalDevice.useSignalStack()
        let renderer = DiffRenderer(
            hasColors: settings.hasColors, term: settings.terminal,
            colorTerm: settings.colorTerminal)
        var size = device.size
        var shown: Screen?
        while true {
            let screen = overview.withLock { $0.screen(size: size) }
            if screen != shown {
                device.write(renderer.bytes(from: shown, to: screen))
                shown = screen
            }
            switch device.nextInput(timeoutMilliseconds: 60_000) {
            case .event(.key(.character("q"))), .event(.key(.escape)),
                .event(.key(.control("c"))):
                return ExitStatus.ok.rawValue
            case .event(.key(.character(" "))): overview.withLock { $0.isPaused.toggle() }
            case .event(.key(.control("l"))): shown = nil
            case .event(.key(.control("z"))), .stopRequested: device.suspend()
            case .resized(let newer): size = newer
            case .resumed(let newer): (size, shown) = (newer, nil)
            // As a shell reports a program that the signal ended.
            case .terminationRequested(let signal): return 128 + signal
            case .ended: return 128 + SIGHUP
            case .event, nil: break
            }
        }
    }
}
