import Foundation

/// How many file descriptors this process may have open. Each connection takes one.
package enum Descriptors {
    /// Raises the limit as far as `count` need it and the system lets us.
    /// - Returns: the limit, or as many as are needed if it is higher or not known.
    package static func makeRoom(for count: Int) -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(count) else { return count }
        let before = limit.rlim_cur
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        return Int(setrlimit(resource, &limit) == 0 ? limit.rlim_cur : before)
    }

    /// Those that a server keeps for what is not a client: files, and connections that it turns
    /// away.
    private static let others = 256
    /// It can't do with fewer than these, where there are few.
    private static let fewestOthers = 32

    /// How many clients a server can have at the same time, at most `most`.
    package static func clients(atMost most: Int) -> Int {
        let room = makeRoom(for: most + others)
        return max(1, room - min(others, fewestOthers + room / 2))
    }
}
