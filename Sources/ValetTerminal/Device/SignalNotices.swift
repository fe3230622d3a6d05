import struct Synchronization.Atomic

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Signals as bytes in a pipe, which the reading thread polls beside the terminal.
///
/// Handlers do nothing but write the signal's number; the two exceptions are signals that end the
/// process at once, which first restore the terminal: traps, and a second request to end.
enum SignalNotices {
    /// Written by `wake()`; no signal has this number.
    static let wakeNotice: UInt8 = 0

    private static let noticed = [SIGWINCH, SIGCONT, SIGTSTP, SIGTERM, SIGHUP, SIGINT]
    private static let fatal = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT]
    private static let signalCount = 65

    /// Made once and never closed, so that a late signal finds it.
    private static let readEnd = Atomic<Int32>(-1)
    private static let writeEnd = Atomic<Int32>(-1)
    /// How often the process was asked to end.
    private static let terminations = Atomic<Int>(0)
    /// The actions before ours. Written before the handlers are set, then only read.
    nonisolated(unsafe) private static let previous =
        UnsafeMutablePointer<sigaction>.allocate(capacity: signalCount)

    /// The end to poll.
    static var descriptor: Int32 { readEnd.load(ordering: .acquiring) }

    static func install() throws(TerminalError) {
        if descriptor < 0 { try makePipe() }
        // Drops notices that an earlier device left.
        while !take().isEmpty {}
        terminations.store(0, ordering: .releasing)
        for signal in noticed { set(signal, notice) }
        for signal in fatal { set(signal, die) }
    }

    static func remove() {
        for signal in noticed + fatal { _ = sigaction(signal, previous + Int(signal), nil) }
    }

    /// Gives the calling thread a stack for handlers, for as long as the process lives.
    static func useOwnStack() {
        let size = 64 << 10
        var stack = stack_t()
        (stack.ss_sp, stack.ss_size) = (malloc(size), size)
        _ = sigaltstack(&stack, nil)
    }

    /// Runs `body` with the default action of `signal`.
    static func withDefaultAction(of signal: Int32, _ body: () -> Void) {
        var held = sigaction()
        var standard = sigaction()
        setHandler(of: &standard, SIG_DFL)
        _ = sigaction(signal, &standard, &held)
        body()
        _ = sigaction(signal, &held, nil)
    }

    static var isAskedToEnd: Bool { terminations.load(ordering: .acquiring) > 0 }

    static func wake() {
        send(wakeNotice)
    }

    /// The notices that have come, oldest first.
    static func take() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? Array(bytes[..<count]) : []
    }

    private static func makePipe() throws(TerminalError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .failed(call: "pipe", code: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // A handler must not wait, and a full pipe wakes the reader anyway.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd.store(ends[0], ordering: .releasing)
        writeEnd.store(ends[1], ordering: .releasing)
    }

    private static func set(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        setHandler(of: &action, handler)
        sigemptyset(&action.sa_mask)
        // On the thread's own stack for it (`useOwnStack`): a stack overflow is a trap, too.
        action.sa_flags = SA_RESTART | Int32(SA_ONSTACK)
        _ = sigaction(signal, &action, previous + Int(signal))
    }

    private static func setHandler(
        of action: inout sigaction, _ handler: (@convention(c) (Int32) -> Void)?
    ) {
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
        #else
            action.__sigaction_handler.sa_handler = handler
        #endif
    }

    // MARK: In a handler

    private static func send(_ notice: UInt8) {
        var byte = notice
        _ = write(writeEnd.load(ordering: .acquiring), &byte, 1)
    }

    private static let notice: @convention(c) (Int32) -> Void = { signal in
        let saved = errno
        let isRequestToEnd = signal == SIGTERM || signal == SIGHUP || signal == SIGINT
        // Where a terminal is closed, its shell and the system may both send SIGHUP.
        if isRequestToEnd, terminations.add(1, ordering: .relaxed).newValue > 1, signal != SIGHUP {
            // A second signal: the thread that should have handled the first one hangs.
            TerminalRestoration.restore()
            SignalNotices.end(signal, with: nil)
        } else {
            SignalNotices.send(UInt8(truncatingIfNeeded: signal))
        }
        errno = saved
    }

    private static let die: @convention(c) (Int32) -> Void = { signal in
        TerminalRestoration.restore()
        SignalNotices.end(signal, with: previous + Int(signal))
    }

    /// The signal is blocked while its handler runs, so what `raise` leaves pending comes when the
    /// handler returns, and finds `action`: for a trap what was there before ours (Swift's
    /// backtrace, or death), else, with nil, the system's.
    private static func end(_ signal: Int32, with action: UnsafePointer<sigaction>?) {
        var standard = sigaction()
        setHandler(of: &standard, SIG_DFL)
        if let action { standard = action.pointee }
        _ = sigaction(signal, &standard, nil)
        _ = raise(signal)
    }
}
