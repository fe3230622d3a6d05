import Foundation
import Synchronization
import ValetModel

/// Ctrl-C as a question: long work asks it, and leaves everything as it was. A second one ends at
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
