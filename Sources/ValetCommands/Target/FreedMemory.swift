import ValetServer

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

    /// Gives back what is free between things that are in use, whenever the process has grown: what
    /// thousands of connections took at once lies there after they have gone
    /// (https://man7.org/linux/man-pages/man3/malloc_trim.3.html). Ends when its task is cancelled.
    static func keepGivingBack() async {
        #if canImport(Glibc)
            var least = Int.max
            while (try? await Task.sleep(for: .seconds(20))) != nil {
                guard let before = ProcessMemory.now()?.residentBytes else { return }
                if least == .max || before > least + growth {
                    malloc_trim(0)
                    least = ProcessMemory.now()?.residentBytes ?? before
                }
                least = min(least, before)
            }
        #endif
    }

    /// Less is not worth walking through all free memory.
    private static let growth = 8 << 20
}
