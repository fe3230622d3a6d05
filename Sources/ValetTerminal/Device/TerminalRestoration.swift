import struct Synchronization.Atomic

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The settings that restore the terminal, stored where a signal handler can use them.
///
/// A handler may run at any instruction of any thread: it may only call what POSIX names
/// async-signal-safe (`write`, `poll`, `tcsetattr`, `sigaction`, `raise`), take no lock and
/// allocate nothing. So all that it needs stands in plain memory behind one atomic pointer.
enum TerminalRestoration {
    struct Plan {
        var input: Int32
        var output: Int32
        var attributes: termios
        var bytes: UnsafeMutableBufferPointer<UInt8>
    }

    /// nil when nothing needs restoring. Memory is never freed: a handler on another thread
    /// may still be reading, and a process opens its terminal once. Unsafe to the compiler only
    /// because of the pointer in the atomic.
    nonisolated(unsafe) private static let plan = Atomic<UnsafeMutablePointer<Plan>?>(nil)

    /// - Parameter attributes: of the input.
    static func arm(input: Int32, output: Int32, attributes: termios) {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: ControlSequence.leave.count)
        _ = bytes.initialize(from: ControlSequence.leave)
        let pointer = UnsafeMutablePointer<Plan>.allocate(capacity: 1)
        pointer.initialize(
            to: Plan(input: input, output: output, attributes: attributes, bytes: bytes))
        plan.store(pointer, ordering: .releasing)
    }

    static func disarm() {
        plan.store(nil, ordering: .releasing)
    }

    /// A terminal that takes nothing for so long is left as it is.
    private static let mostMilliseconds: Int32 = 1_000

    static var isArmed: Bool { plan.load(ordering: .acquiring) != nil }

    /// Safe in a signal handler, at exit, and more than once.
    static func restore() {
        guard let plan = plan.load(ordering: .acquiring) else { return }
        let bytes = plan.pointee.bytes
        var sent = 0
        while sent < bytes.count {
            let count = write(plan.pointee.output, bytes.baseAddress! + sent, bytes.count - sent)
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN {
                var entry = pollfd(fd: plan.pointee.output, events: Int16(POLLOUT), revents: 0)
                if poll(&entry, 1, mostMilliseconds) > 0 { continue }
            }
            if count <= 0 { break }
            sent += count
        }
        _ = tcsetattr(plan.pointee.input, TCSANOW, &plan.pointee.attributes)
    }
}
