import Foundation
import Testing

@testable import ValetTerminal

/// Both ends of a terminal that nobody looks at.
private struct PseudoTerminal {
    let master: Int32
    let slave: Int32
    let path: String

    init() throws {
        var ends: (master: Int32, slave: Int32) = (0, 0)
        var name = [CChar](repeating: 0, count: 128)
        try #require(openpty(&ends.master, &ends.slave, &name, nil, nil) == 0)
        master = ends.master
        path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        slave = ends.slave
    }

    /// The device on the terminal of this path.
    static func device(_ path: String) throws -> TerminalDevice {
        let slave = open(path, O_RDWR | O_NOCTTY)
        return try TerminalDevice.open(inputDescriptor: slave, outputDescriptor: slave)
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// What has been written to the terminal, as far as it is there within a tenth of a second.
    func output() -> String {
        var all: [UInt8] = []
        var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, 100) > 0, entry.revents & Int16(POLLIN) != 0 {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(master, &bytes, bytes.count)
            guard count > 0 else { break }
            all += bytes[..<count]
        }
        return String(decoding: all, as: UTF8.self)
    }

    var isRaw: Bool {
        var attributes = termios()
        tcgetattr(slave, &attributes)
        return attributes.c_lflag & tcflag_t(ICANON) == 0
    }
}

/// Has no end that anybody reaches.
private func deepen(_ depth: UInt64) -> UInt64 {
    depth == 0 ? 0 : 1 &+ deepen(depth &* 3) &* depth
}

/// The device is one to a process, so these run one after the other.
@Suite(.serialized) struct TerminalDeviceTests {
    @Test func aTerminalIsRestoredWhenItIsClosed() throws {
        let terminal = try PseudoTerminal()
        let device = try PseudoTerminal.device(terminal.path)
        #expect(terminal.isRaw)
        let entered = terminal.output()
        #expect(entered.contains("\u{1B}[?1049h") && entered.contains("\u{1B}[?1002h"))
        device.close()
        device.close()
        #expect(!terminal.isRaw)
        let left = terminal.output()
        #expect(left.contains("\u{1B}[?1049l") && left.contains("\u{1B}[?25h"))
        #expect(left.contains("\u{1B}[?2004l") && left.contains("\u{1B}[?1006l"))
        #expect(left.contains("\u{1B}[?1002l"))
    }

    @Test func aFileThatIsNoTerminalIsRefused() throws {
        let descriptor = open("/dev/null", O_RDWR)
        #expect(throws: TerminalError.notATerminal) {
            _ = try TerminalDevice.open(inputDescriptor: descriptor, outputDescriptor: descriptor)
        }
    }

    @Test func aSecondDeviceIsRefused() throws {
        let terminal = try PseudoTerminal()
        let device = try PseudoTerminal.device(terminal.path)
        #expect(throws: TerminalError.alreadyOpen) {
            _ = try PseudoTerminal.device(terminal.path)
        }
        device.close()
    }

    @Test func keysSizesAndSignalsCome() throws {
        let terminal = try PseudoTerminal()
        let device = try PseudoTerminal.device(terminal.path)
        defer { device.close() }
        #expect(device.nextInput(timeoutMilliseconds: 0) == nil)
        terminal.type("j\u{1B}[A\u{1B}")
        #expect(device.nextInput(timeoutMilliseconds: 500) == .event(.key(.character("j"))))
        #expect(device.nextInput(timeoutMilliseconds: 500) == .event(.key(.up)))
        #expect(device.nextInput(timeoutMilliseconds: 500) == .event(.key(.escape)))
        var size = winsize(ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal.master, UInt(TIOCSWINSZ), &size)
        kill(getpid(), SIGWINCH)
        let expected = Size(columns: 100, rows: 30)
        #expect(device.nextInput(timeoutMilliseconds: 500) == .resized(expected))
        kill(getpid(), SIGTERM)
        #expect(
            device.nextInput(timeoutMilliseconds: 500) == .terminationRequested(signal: SIGTERM))
        kill(getpid(), SIGCONT)
        #expect(device.nextInput(timeoutMilliseconds: 500) == .resumed(expected))
        device.wake()
        #expect(device.nextInput(timeoutMilliseconds: nil) == nil)
    }

    @Test func aTerminalThatGoesAwayEnds() throws {
        let terminal = try PseudoTerminal()
        let device = try PseudoTerminal.device(terminal.path)
        close(terminal.master)
        #expect(device.nextInput(timeoutMilliseconds: 500) == .ended)
        #expect(!device.write([0x61]))
        device.close()
    }

    @Test func aTrapRestoresTheTerminal() async throws {
        let terminal = try PseudoTerminal()
        let path: String = terminal.path
        await #expect(processExitsWith: .failure) { [path = path as String] in
            let device = try PseudoTerminal.device(path)
            device.write(Array("half a frame".utf8))
            fatalError("a trap")
        }
        #expect(!terminal.isRaw)
        #expect(terminal.output().contains("half a frame\u{1B}[?2026l"))
    }

    /// Rows may come from standard input, so the keys come from another terminal's descriptor.
    @Test func bothEndsOfTheTerminalAreRestored() async throws {
        let (keys, screen) = (try PseudoTerminal(), try PseudoTerminal())
        let paths: [String] = [keys.path, screen.path]
        await #expect(processExitsWith: .failure) { [paths = paths as [String]] in
            let device = try TerminalDevice.open(
                inputDescriptor: open(paths[0], O_RDWR | O_NOCTTY),
                outputDescriptor: open(paths[1], O_RDWR | O_NOCTTY))
            device.write(Array("half a frame".utf8))
            fatalError("a trap")
        }
        #expect(!keys.isRaw && !screen.isRaw)
        #expect(screen.output().contains("\u{1B}[?1049l"))
    }

    @Test func aStackOverflowRestoresTheTerminal() async throws {
        let terminal = try PseudoTerminal()
        let path: String = terminal.path
        await #expect(processExitsWith: .failure) { [path = path as String] in
            let device = try PseudoTerminal.device(path)
            // Not a thread of a pool, to which the runtime may have given one.
            Thread.detachNewThread {
                TerminalDevice.useSignalStack()
                _ = deepen(1)
            }
            withExtendedLifetime(device) { while true { _ = pause() } }
        }
        #expect(!terminal.isRaw)
        #expect(terminal.output().contains("\u{1B}[?1049l"))
    }

    @Test func aSecondRequestToEndRestoresAndEnds() async throws {
        let terminal = try PseudoTerminal()
        let path: String = terminal.path
        await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
            let device = try PseudoTerminal.device(path)
            // Not `raise`: this may be a thread of a pool, and those block signals.
            for _ in 0..<2 {
                kill(getpid(), SIGTERM)
                _ = device.nextInput(timeoutMilliseconds: 5_000)
            }
            device.write(Array("still here".utf8))
        }
        #expect(!terminal.isRaw)
        let output = terminal.output()
        #expect(output.contains("\u{1B}[?1049l") && !output.contains("still here"))
    }

    /// As over a connection that hangs, or after ^S.
    @Test func aTerminalThatTakesNothingDoesNotKeepASignalWaiting() async throws {
        let terminal = try PseudoTerminal()
        let path: String = terminal.path
        await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
            let device = try PseudoTerminal.device(path)
            kill(getpid(), SIGTERM)
            // More than a terminal holds that nobody reads.
            let isWritten = device.write([UInt8](repeating: 0x61, count: 1 << 20))
            let input = device.nextInput(timeoutMilliseconds: 5_000)
            device.close()
            exit(!isWritten && input == .terminationRequested(signal: SIGTERM) ? 7 : 1)
        }
        #expect(!terminal.isRaw)
    }

    @Test func exitRestoresTheTerminal() async throws {
        let terminal = try PseudoTerminal()
        let path: String = terminal.path
        await #expect(processExitsWith: .exitCode(3)) { [path = path as String] in
            _ = try PseudoTerminal.device(path)
            exit(3)
        }
        #expect(!terminal.isRaw)
    }
}
