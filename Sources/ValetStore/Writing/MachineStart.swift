#if canImport(Darwin)
    import Darwin
#endif

/// What the system calls the time since the machine was started: it has another name after a loss
/// of power.
enum MachineStart {
    /// Without blanks; "unknown" where the system does not say.
    static let name: String = {
        #if canImport(Darwin)
            var bytes = [UInt8](repeating: 0, count: 64)
            var count = bytes.count
            guard sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else {
                return "unknown"
            }
        #else
            let bytes = RawFile("/proc/sys/kernel/random/boot_id")?.bytes(at: 0, count: 36) ?? []
        #endif
        let name = String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
        return name.isEmpty ? "unknown" : name
    }()
}
