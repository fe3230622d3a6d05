import Foundation
import ValetModel
import ValetTerminal

import struct Synchronization.Atomic

/// Ends the process on Ctrl-C and its like, after its child processes and folders are gone.
///
/// A handler may do next to nothing, so it writes the signal's number into a pipe that a thread
/// reads. Child processes do not inherit handlers, as they do ignored and blocked signals.
enum EndingSignals {
    private static let writeEnd = Atomic<Int32>(-1)
    private static let ending = Atomic(false)

    /// True once the process is ending: errors after that come from its killed server.
    static var hasCome: Bool { ending.load(ordering: .acquiring) }

    /// - Parameter first: what the first signal does in place of ending the process; the second
    ///   ends it.
    static func watch(first: (@Sendable () -> Void)? = nil) {
        guard writeEnd.load(ordering: .acquiring) < 0 else { return }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeEnd.store(ends[1], ordering: .releasing)
        let readEnd = ends[0]
        let thread = Thread {
            var number: UInt8 = 0
            while read(readEnd, &number, 1) != 1 {}
            if let first {
                first()
                while read(readEnd, &number, 1) != 1 {}
            }
            ending.store(true, ordering: .releasing)
            ExitCleanup.shared.run()
            ProgressLine.standardError.end()
            exit(ExitStatus.cancelled.rawValue)
        }
        thread.start()
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, note) }
    }

    private static let note: @convention(c) (Int32) -> Void = { number in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(EndingSignals.writeEnd.load(ordering: .acquiring), &byte, 1)
        errno = saved
    }
}
