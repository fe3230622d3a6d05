import ValetModel

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

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
