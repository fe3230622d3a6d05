import ValetModel

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The memory use of this process, as counted by the system.
package struct ProcessMemory: Sendable {
    package var residentBytes: Int
    /// The highest value so far.
    package var peakBytes: Int

    /// nil if the system does not provide it.
    package static func now() -> ProcessMemory? {
        #if canImport(Darwin)
            var usage = rusage()
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
            // Not getrusage: its maximum survives exec, and so may be the parent's.
            guard let resident = kilobytes("VmRSS:"), let peak = kilobytes("VmHWM:") else {
                return nil
            }
            return ProcessMemory(
                residentBytes: resident * 1_024, peakBytes: max(resident, peak) * 1_024)
        #endif
    }

    #if !canImport(Darwin)
        /// A line such as `VmRSS:     31240 kB`
        /// (https://man7.org/linux/man-pages/man5/proc_pid_status.5.html).
        private static func kilobytes(_ name: String) -> Int? {
            guard let file = fopen("/proc/self/status", "r") else { return nil }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 256)
            while fgets(&line, CInt(line.count), file) != nil {
                let text = String(
                    decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                let words = text.split(whereSeparator: \.isWhitespace)
                if words.count > 1, words[0] == name { return Int(words[1]) }
            }
            return nil
        }
    #endif
}

/// The memory that this process could use at most.
package enum MachineMemory {
    /// What the lists of a file may take unless somebody says otherwise: a quarter of it.
    package static let share = max(Limits.leastBytesOfLists, (bytes ?? 0) / 4)

    /// nil if the system does not say it.
    private static var bytes: Int? {
        let (pages, size) = (sysconf(CInt(_SC_PHYS_PAGES)), sysconf(CInt(_SC_PAGESIZE)))
        let product = pages.multipliedReportingOverflow(by: size)
        guard pages > 0, size > 0, !product.overflow else { return containerBytes }
        return min(product.partialValue, containerBytes ?? .max)
    }

    /// A container's limit (https://docs.kernel.org/admin-guide/cgroup-v2.html, `memory.max`).
    private static var containerBytes: Int? {
        guard let file = fopen("/sys/fs/cgroup/memory.max", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 32)
        guard fgets(&line, CInt(line.count), file) != nil else { return nil }
        let digits = line.map(UInt8.init(bitPattern:)).prefix { $0 > UInt8(ascii: " ") }
        // “max” is no limit.
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
