import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A private folder for files that live no longer than the process.
///
/// A process that crashes leaves its folder behind. Each folder contains a file `lock` that its
/// owner keeps locked. If another process can lock it, the owner is gone, even if its process id
/// was reused.
package final class ScratchFolder: Sendable {
    private static let prefix = "valet-scratch-"
    private static let lockName = "lock"

    package let path: String
    private let lock: Int32

    package init() throws(ValetError) {
        var template = Array((FilePath.temporaryFolder + "/" + Self.prefix + "XXXXXX").utf8CString)
        // mkdtemp sets mode 0700.
        guard mkdtemp(&template) != nil else {
            throw FilePath.failure(FilePath.temporaryFolder, errno, doing: "make a folder in")
        }
        let made = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        // The lock file gets its name once it is locked, so that no other process finds it
        // unlocked.
        let unnamed = made + "/unnamed"
        lock = open(unnamed, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        path = made
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0,
            rename(unnamed, made + "/" + Self.lockName) == 0
        else {
            throw FilePath.failure(made, errno, doing: "lock")
        }
    }

    deinit {
        Self.remove(path)
        close(lock)
    }

    /// Removes the folders of dead processes.
    package static func removeLeftovers() {
        let parent = FilePath.temporaryFolder
        for name in FilePath.entries(of: parent) where name.hasPrefix(prefix) {
            let folder = parent + "/" + name
            // A symbolic link of another user must not redirect the removal.
            let lock = open(folder + "/" + lockName, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
            guard lock >= 0 else { continue }
            if isOwnFolder(folder), flock(lock, LOCK_EX | LOCK_NB) == 0 { remove(folder) }
            close(lock)
        }
    }

    private static func isOwnFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            && status.st_uid == geteuid()
    }

    private static func remove(_ folder: String) {
        for name in FilePath.entries(of: folder) { unlink(folder + "/" + name) }
        rmdir(folder)
    }
}
