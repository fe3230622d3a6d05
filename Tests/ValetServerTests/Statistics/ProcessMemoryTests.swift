#if canImport(Glibc)
    import Glibc
    import Testing

    @testable import ValetServer

    /// What the process says of its memory.
    @Suite struct ProcessMemoryTests {
        private static let bytes = 400 << 20

        /// The system counts two maxima: one of this program, which can be begun anew, and one that
        /// a process keeps whatever program it runs next.
        @Test func thePeakIsOfThisProgram() throws {
            let large = UnsafeMutableRawPointer.allocate(byteCount: Self.bytes, alignment: 4_096)
            memset(large, 1, Self.bytes)
            let high = try #require(ProcessMemory.now())
            large.deallocate()
            #expect(high.peakBytes >= high.residentBytes)
            #expect(high.residentBytes > Self.bytes)
            // https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html
            let file = try #require(fopen("/proc/self/clear_refs", "w"))
            fputs("5", file)
            fclose(file)
            let low = try #require(ProcessMemory.now())
            #expect(low.peakBytes < high.peakBytes - Self.bytes / 2)
        }
    }
#endif
