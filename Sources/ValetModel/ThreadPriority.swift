#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The priority of threads when the processors are busy.
package enum ThreadPriority {
    /// Below that of the event loops. With ten clients that search without pause and one that
    /// scrolls, the 99th percentile of its windows is 3–4 ms, and 4–8 ms without this.
    case low
    /// Gets little more than what others leave.
    case lowest

    /// Lets threads run that wait for the calling thread's processor. Without that, one of a higher
    /// priority that wakes while no processor is idle waits for Linux's next tick, up to 4 ms.
    package static func giveWay() {
        sched_yield()
    }

    /// Lowers the calling thread's priority, for good.
    package func take() {
        #if canImport(Darwin)
            pthread_set_qos_class_self_np(
                self == .low ? QOS_CLASS_UTILITY : QOS_CLASS_BACKGROUND, 0)
        #else
            // On Linux a nice value is a thread's own (man 2 setpriority, NOTES).
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, self == .low ? 5 : 19)
        #endif
    }
}
