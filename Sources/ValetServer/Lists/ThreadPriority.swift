#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How threads share a processor that has more to do than it can.
enum ThreadPriority {
    /// Lets event loops go before this thread, for good. Ten clients that search without end beside
    /// one that scrolls: its windows' 99th percentile is 3–4 ms with this, 4–8 without.
    static func lower() {
        #if canImport(Darwin)
            pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #else
            // On Linux a nice value is a thread's own (man 2 setpriority, NOTES).
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        #endif
    }
}
