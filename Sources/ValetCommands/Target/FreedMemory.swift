#if canImport(Glibc)
    import CMalloc
#endif

/// How a server returns freed memory to the system.
enum FreedMemory {
    /// From now on, what takes four megabytes or more goes back to the system when it is freed, and
    /// smaller things are kept for those that follow. Left to itself, glibc maps ever larger things
    /// only, and keeps what sorting took: twenty bytes for each row of a million
    /// (https://man7.org/linux/man-pages/man3/mallopt.3.html).
    static func giveBack() {
        #if canImport(Glibc)
            mallopt(M_MMAP_THRESHOLD, 4 << 20)
            // Setting one stops glibc from adjusting the other, so both are set.
            mallopt(M_TRIM_THRESHOLD, 1 << 20)
        #endif
    }
}
