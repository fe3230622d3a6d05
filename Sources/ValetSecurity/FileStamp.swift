import Foundation

/// What changes with a file's content, and when another takes its place.
package struct FileStamp: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64
    private let byteCount: Int64
    private let times: [Int]

    /// nil when there is no file.
    package init?(of path: String) {
        var status = stat()
        guard !path.utf8.contains(0), stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        byteCount = Int64(status.st_size)
        #if canImport(Darwin)
            let (changed, modified) = (status.st_ctimespec, status.st_mtimespec)
        #else
            let (changed, modified) = (status.st_ctim, status.st_mtim)
        #endif
        times = [changed.tv_sec, changed.tv_nsec, modified.tv_sec, modified.tv_nsec].map { Int($0) }
    }
}
