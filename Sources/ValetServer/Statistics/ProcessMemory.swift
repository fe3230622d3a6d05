#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What this process takes of the machine's memory, as the system counts it.
struct ProcessMemory: Sendable {
    var residentBytes: Int
    /// The most that it ever was.
    var peakBytes: Int

    /// nil where the system does not say.
    static func now() -> ProcessMemory? {
        var usage = rusage()
        #if canImport(Darwin)
            getrusage(RUSAGE_SELF, &usage)
            var info = mach_task_basic_info()
            var count = mach_msg_type_number_t(
                MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
            let result = withUnsafeMutableBytes(of: &info) { info in
                task_info(
                    mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO),
                    info.bindMemory(to: integer_t.self).baseAddress, &count)
            }
            guard result == KERN_SUCCESS else { return nil }
            let resident = Int(info.resident_size)
            return ProcessMemory(
                residentBytes: resident, peakBytes: max(resident, Int(usage.ru_maxrss)))
        #else
            getrusage(RUSAGE_SELF.rawValue, &usage)
            // Pages in all, then pages that are resident
            // (https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html).
            guard let file = fopen("/proc/self/statm", "r") else { return nil }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 128)
            guard fgets(&line, CInt(line.count), file) != nil else { return nil }
            let words = line.prefix { $0 != 0 }.split(separator: 0x20)
            guard words.count > 1,
                let pages = Int(String(decoding: words[1].map(UInt8.init), as: UTF8.self))
            else { return nil }
            let resident = pages * sysconf(CInt(_SC_PAGESIZE))
            return ProcessMemory(
                residentBytes: resident, peakBytes: max(resident, usage.ru_maxrss * 1_024))
        #endif
    }
}
