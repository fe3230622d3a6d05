import Foundation
import ValetModel

/// File descriptors: each connection takes one in this process, and one in a server that we
/// started, which inherits our limit.
enum Descriptors {
    /// What a process needs beside connections.
    private static let others = 256

    /// Raises the limit as far as `connections` need it and the system lets us.
    /// - Throws: `.limitExceeded` when that is not far enough.
    static func makeRoom(for connections: Int) throws(ValetError) {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return }
        let needed = rlim_t(connections + others)
        if limit.rlim_cur >= needed { return }
        limit.rlim_cur = min(needed, limit.rlim_max)
        guard setrlimit(resource, &limit) == 0, limit.rlim_cur >= needed else {
            throw .limit(
                "open files of a process (ulimit -n)", is: Int(limit.rlim_cur),
                asked: Int(needed))
        }
    }
}
