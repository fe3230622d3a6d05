#if canImport(Glibc)
    import CMalloc
#endif

/// What a process that serves does with memory that it needs no longer.
enum FreedMemory {
    /// From now on, what takes four megabytes or more goes back to the system when it is freed, and
    /// smaller things are kept for those that follow. Left to itself, glibc maps ever larger things
    /// only, and keeps what sorting took: twenty bytes for each row of a million
    /// (https://man7.org/linux/man-pages/man3/mallopt.3.html).
    static func giveBack() {
        #if canImport(Glibc)
            mallopt(M_MMAP_THRESHOLD, 4 << 20)
            // Said together: the one ends glibc's own choice of the other.
            mallopt(M_TRIM_THRESHOLD, 1 << 20)
        #endif
    }
}
