import Foundation
import Synchronization
import ValetModel

/// Set by Ctrl-C: long work polls it, and undoes what it did. A second Ctrl-C ends the process at
/// once.
enum InterruptFlag {
    private static let count = Atomic(0)

    static func install() {
        signal(SIGINT) { _ in
            // Only an atomic and `_exit`, as a signal handler may.
            let earlier = InterruptFlag.count.wrappingAdd(1, ordering: .relaxed).oldValue
            if earlier > 0 { _exit(ExitStatus.cancelled.rawValue) }
        }
    }

    static var isSet: Bool { count.load(ordering: .relaxed) > 0 }
}
