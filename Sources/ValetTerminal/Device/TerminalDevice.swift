import ValetModel

import struct Synchronization.Atomic

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What comes from the terminal and about it.
package enum TerminalInput: Hashable, Sendable {
    case event(InputEvent)
    case resized(Size)
    /// The process continues after a stop: the whole screen must be drawn again.
    case resumed(Size)
    /// Somebody sent SIGTSTP: call `suspend()`.
    case stopRequested
    /// SIGTERM, SIGHUP or SIGINT came from outside. Another SIGTERM or SIGINT ends the process at
    /// once; SIGHUP may come twice where a terminal is closed.
    case terminationRequested(signal: Int32)
    /// The terminal is gone.
    case ended
}

package enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    case notATerminal
    case alreadyOpen
    case failed(call: String, code: Int32)

    package var description: String {
        switch self {
        case .notATerminal: "the full screen needs a terminal for input and output"
        case .alreadyOpen: "the terminal is already in use"
        case .failed(let call, let code): "\(call) failed: \(String(cString: strerror(code)))"
        }
    }
}

/// The terminal in raw mode on the alternate screen, restored however the process ends.
///
/// One thread calls `nextInput` in a loop and blocks in `poll`; another writes frames. `wake()`
/// makes `nextInput` return. There is one device at a time: signals belong to the process.
package final class TerminalDevice: Sendable {
    private struct Reader {
        var decoder = InputDecoder()
        var waiting: [TerminalInput] = []
        /// When the terminal was asked about itself.
        var asked: ContinuousClock.Instant?
        /// When the last bytes came.
        var newest = ContinuousClock.now

        /// How long what has begun waits still, in milliseconds; nil if nothing does.
        var patience: Int? {
            decoder.patienceMilliseconds.map {
                TerminalDevice.milliseconds(until: newest + .milliseconds($0))
            }
        }
    }

    private static func milliseconds(until end: ContinuousClock.Instant) -> Int {
        max(Int(((end - .now) / .milliseconds(1)).rounded(.up)), 0)
    }

    private static let bytesPerRead = 4 << 10

    private let inputDescriptor: Int32
    private let outputDescriptor: Int32
    /// The output once more, where a write never waits.
    private let nonblockingOutput: Int32
    private let original: termios
    private let hasMouse: Atomic<Bool>
    /// Held by the reading thread while it waits.
    private let reader = Mutex(Reader())
    private let isOpen = Atomic<Bool>(true)
    private init(
        inputDescriptor: Int32, outputDescriptor: Int32, nonblockingOutput: Int32,
        original: termios, hasMouse: Bool
    ) {
        self.inputDescriptor = inputDescriptor
        self.outputDescriptor = outputDescriptor
        self.nonblockingOutput = nonblockingOutput
        self.original = original
        self.hasMouse = Atomic(hasMouse)
    }

    deinit {
        close()
    }

    package static func open(
        inputDescriptor: Int32 = STDIN_FILENO, outputDescriptor: Int32 = STDOUT_FILENO,
        hasMouse: Bool = true
    ) throws(TerminalError) -> TerminalDevice {
        guard !TerminalRestoration.isArmed else { throw .alreadyOpen }
        var original = termios()
        guard isatty(inputDescriptor) == 1, isatty(outputDescriptor) == 1,
            tcgetattr(inputDescriptor, &original) == 0
        else { throw .notATerminal }
        let output = reopenedNonblocking(outputDescriptor)
        let device = TerminalDevice(
            inputDescriptor: inputDescriptor, outputDescriptor: outputDescriptor,
            nonblockingOutput: output, original: original, hasMouse: hasMouse)
        // The handlers come before the first change, so that every way out restores.
        TerminalRestoration.arm(input: inputDescriptor, output: output, attributes: original)
        _ = restoresAtExit
        do {
            try SignalNotices.install()
        } catch {
            TerminalRestoration.disarm()
            throw error
        }
        device.enter()
        return device
    }

    /// Call it on the thread that may overflow its stack: what restores the terminal then needs
    /// another.
    package static func useSignalStack() {
        SignalNotices.useOwnStack()
    }

    /// Restores when something calls `exit`; registered once.
    private static let restoresAtExit = atexit { TerminalRestoration.restore() }

    package var size: Size { Self.size(of: outputDescriptor) ?? .standard }

    /// nil for what is no terminal, or doesn't tell.
    package static func size(of descriptor: Int32) -> Size? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return nil }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Writes all of `bytes`, waiting for a slow terminal. False when it is gone, or takes nothing
    /// while the process is asked to end.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            var waitsAtTheEnd = TerminalDevice.waitsAtTheEnd
            while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
                let count = systemWrite(nonblockingOutput, start, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    var entry = pollfd(fd: nonblockingOutput, events: Int16(POLLOUT), revents: 0)
                    let isStuck = poll(&entry, 1, TerminalDevice.waitMilliseconds) == 0
                    if isStuck, SignalNotices.isAskedToEnd { waitsAtTheEnd -= 1 }
                    guard waitsAtTheEnd > 0 else { return false }
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    /// How long a write waits before it looks whether the process is asked to end, and how often it
    /// waits after that.
    private static let waitMilliseconds: Int32 = 100
    private static let waitsAtTheEnd = 10

    /// Takes the mouse, or leaves it to the terminal.
    package func useMouse(_ isOn: Bool) {
        hasMouse.store(isOn, ordering: .relaxed)
        write(isOn ? ControlSequence.mouseOn : ControlSequence.mouseOff)
    }

    /// Gives `text` to the terminal's clipboard, where the terminal allows that (OSC 52).
    package func copy(_ text: String) {
        write(ControlSequence.copy(text))
    }

    /// Asks the terminal about itself; the answers come as events, some time or never.
    package func askAboutItself() {
        reader.withLock { reader in
            reader.asked = .now
            reader.decoder.expectAnswers()
        }
        write(ControlSequence.askAboutItself)
    }

    /// An answer that is on its way must not end up in the shell.
    private func takeAnswer() {
        _ = reader.withLockIfAvailable { reader in
            guard let asked = reader.asked else { return }
            let since = Int((ContinuousClock.now - asked) / .milliseconds(1))
            let end =
                ContinuousClock.now
                + .milliseconds(TerminalAnswer.patienceMilliseconds(since: since))
            while reader.decoder.awaitsAnswers {
                let rest = Int32((end - .now) / .milliseconds(1))
                var entry = pollfd(fd: inputDescriptor, events: Int16(POLLIN), revents: 0)
                guard rest > 0, poll(&entry, 1, rest) > 0, entry.revents & Int16(POLLIN) != 0
                else { return }
                takeBytes(&reader)
                if reader.waiting.contains(.ended) { return }
            }
        }
    }

    /// The next input, or nil when `timeoutMilliseconds` passed or `wake()` was called. A nil
    /// timeout waits for as long as it takes.
    package func nextInput(timeoutMilliseconds: Int?) -> TerminalInput? {
        let end = timeoutMilliseconds.map { ContinuousClock.now + .milliseconds($0) }
        return reader.withLock { reader in
            while true {
                if !reader.waiting.isEmpty { return reader.waiting.removeFirst() }
                let timeouts = [end.map(TerminalDevice.milliseconds(until:)), reader.patience]
                let timeout = timeouts.compactMap(\.self).min()
                var entries = [
                    pollfd(fd: inputDescriptor, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: SignalNotices.descriptor, events: Int16(POLLIN), revents: 0),
                ]
                let count = poll(&entries, 2, timeout.map(Int32.init(clamping:)) ?? -1)
                if count < 0 {
                    if errno == EINTR || errno == EAGAIN { continue }
                    return .ended
                }
                if count == 0 {
                    if reader.patience == 0 {
                        reader.waiting += reader.decoder.flush().map(TerminalInput.event)
                    } else if let end, end <= .now {
                        return nil
                    }
                    continue
                }
                if entries[1].revents != 0, takeNotices(&reader), reader.waiting.isEmpty {
                    return nil
                }
                if entries[0].revents != 0 { takeBytes(&reader) }
            }
        }
    }

    /// Makes `nextInput` return on its thread.
    package func wake() {
        SignalNotices.wake()
    }

    /// Gives the terminal back and stops the process, as ^Z does; returns when it goes on.
    /// `nextInput` then says `.resumed`.
    package func suspend() {
        guard isOpen.load(ordering: .acquiring) else { return }
        leave()
        SignalNotices.withDefaultAction(of: SIGTSTP) {
            // The whole group: a shell waits for all of a pipeline.
            _ = kill(0, SIGTSTP)
            // Any thread may take the signal, so this one may run on for a moment. Where nobody can
            // continue us the system drops it, and we go on at once.
            usleep(20_000)
        }
        enter()
        _ = kill(getpid(), SIGCONT)
    }

    /// Restores the terminal and the signals. May be called again.
    package func close() {
        guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
        takeAnswer()
        leave()
        TerminalRestoration.disarm()
        SignalNotices.remove()
        wake()
    }

    // MARK: Modes

    private func enter() {
        var raw = original
        cfmakeraw(&raw)
        _ = tcsetattr(inputDescriptor, TCSADRAIN, &raw)
        write(
            ControlSequence.enter
                + (hasMouse.load(ordering: .relaxed) ? ControlSequence.mouseOn : []))
    }

    private func leave() {
        write(ControlSequence.leave)
        var original = original
        // What was typed ahead, or reported by the mouse, isn't meant for the shell.
        _ = tcsetattr(inputDescriptor, TCSAFLUSH, &original)
    }

    // MARK: Reading

    /// True when one of the notices is from `wake()`.
    private func takeNotices(_ reader: inout Reader) -> Bool {
        var isWoken = false
        for notice in SignalNotices.take() {
            switch Int32(notice) {
            case Int32(SignalNotices.wakeNotice): isWoken = true
            case SIGWINCH:
                let input = TerminalInput.resized(size)
                if reader.waiting.last != input { reader.waiting.append(input) }
            case SIGCONT where reader.waiting.last == .resumed(size): break
            case SIGCONT:
                // The process was stopped by SIGSTOP, and the shell has reset the terminal.
                if isOpen.load(ordering: .acquiring) { enter() }
                reader.waiting.append(.resumed(size))
            case SIGTSTP: reader.waiting.append(.stopRequested)
            default: reader.waiting.append(.terminationRequested(signal: Int32(notice)))
            }
        }
        return isWoken
    }

    private func takeBytes(_ reader: inout Reader) {
        var bytes = [UInt8](repeating: 0, count: TerminalDevice.bytesPerRead)
        let count = read(inputDescriptor, &bytes, bytes.count)
        if count > 0 {
            reader.newest = .now
            reader.waiting += reader.decoder.decode(bytes[..<count]).map(TerminalInput.event)
        } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
            reader.waiting.append(.ended)
        }
    }
}

/// Another descriptor of the terminal, whose writes return where they would wait; the same one
/// where that can't be had. It is never closed: a handler may be using it.
private func reopenedNonblocking(_ terminal: Int32) -> Int32 {
    guard let path = ttyname(terminal) else { return terminal }
    let opened = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    return opened < 0 ? terminal : opened
}

/// `write` of the system, where a method of the same name hides it.
func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, start, count)
}
