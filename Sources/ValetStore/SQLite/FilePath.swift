import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Checks paths in the file system before SQLite sees them.
package enum FilePath {
    /// The path, with symbolic links resolved, of a readable regular file.
    static func existingFile(_ path: String) throws(ValetError) -> String {
        guard let resolved = resolve(path) else { throw failure(path, errno, doing: "open") }
        switch (status(of: resolved)?.st_mode ?? 0) & S_IFMT {
        case S_IFREG: break
        case S_IFDIR:
            throw .storageFailed("“\(path)” is a folder: name a file in it")
        default:
            throw .storageFailed("“\(path)” is not an ordinary file: name one that is")
        }
        guard access(resolved, R_OK) == 0 else { throw failure(path, errno, doing: "open") }
        return resolved
    }

    /// The same, or the path of a file that can be created in an existing folder.
    static func newOrExistingFile(_ path: String) throws(ValetError) -> String {
        if exists(path) { return try existingFile(path) }
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard !name.isEmpty, name != ".", name != ".." else {
            throw .storageFailed("“\(path)” does not name a file")
        }
        let folder = String(path.dropLast(name.count))
        guard let resolved = resolve(folder.isEmpty ? "." : folder) else {
            throw .storageFailed(
                "there is no folder “\(folder)” to make “\(name)” in: make it first")
        }
        return resolved + "/" + name
    }

    /// The folder that a file is in.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "" : String(path[..<slash])
    }

    /// Also true for a dangling symbolic link: SQLite must not create a file through it.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether this process may write what is there.
    static func isWritable(_ path: String) -> Bool {
        faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
    }

    /// Identifies a file, to notice when another takes its place at the same path.
    struct Identity: Equatable, Sendable {
        let device: UInt64
        let number: UInt64
    }

    /// The number of names that a file has; nil when there is none.
    static func linkCount(of path: String) -> Int? {
        status(of: path).map { Int(clamping: $0.st_nlink) }
    }

    /// nil when there is no file.
    static func identity(of path: String) -> Identity? { status(of: path).map(Identity.init) }

    /// Of an open file.
    static func identity(of descriptor: Int32) -> Identity? {
        status(of: descriptor).map(Identity.init)
    }

    /// A descriptor by which this process has a file open, wherever that stands; nil if it has not.
    private static func descriptor(of file: Identity) -> Int32? {
        (0..<min(getdtablesize(), descriptorsTried)).first { identity(of: $0) == file }
    }

    private static let descriptorsTried: Int32 = 65_536

    /// What every write leaves on a file.
    struct Stamp: Equatable, Sendable {
        let file: Identity
        let byteCount: Int64
        let seconds: Int
        let nanoseconds: Int

        /// For a note: devices get other numbers when the computer starts.
        var word: String { "\(file.number):\(byteCount):\(seconds):\(nanoseconds)" }
    }

    /// nil when there is no file.
    static func stamp(of path: String) -> Stamp? { status(of: path).map(Stamp.init) }

    /// Of an open file.
    static func stamp(of descriptor: Int32) -> Stamp? { status(of: descriptor).map(Stamp.init) }

    /// Of a file that is open, wherever it stands.
    static func stamp(ofOpen file: Identity) -> Stamp? {
        descriptor(of: file).flatMap { stamp(of: $0) }
    }

    struct Time: Comparable, Sendable {
        let seconds: Int64
        let nanoseconds: Int64

        /// Since 1970.
        var microseconds: Int64 { seconds &* 1_000_000 &+ nanoseconds / 1_000 }

        static func < (one: Time, other: Time) -> Bool {
            (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
        }
    }

    package struct State: Equatable, Sendable {
        let stamp: Stamp
        /// When the file, its name or its rights were last changed. Nobody can set it.
        let changed: Time
    }

    /// nil when there is no file.
    package static func state(of path: String) -> State? {
        status(of: path).map { State(stamp: Stamp($0), changed: Time($0.changed)) }
    }

    /// When an open file, its name or its rights were last changed. Nobody can set it.
    static func changeTime(of descriptor: Int32) -> Time? {
        status(of: descriptor).map { Time($0.changed) }
    }

    /// nil when there is no file.
    static func status(of path: String) -> stat? {
        var status = stat()
        return !path.utf8.contains(0) && stat(path, &status) == 0 ? status : nil
    }

    /// Of an open file.
    static func status(of descriptor: Int32) -> stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    static func remove(_ path: String) { unlink(path) }

    /// The names in a folder, in no order.
    package static func names(in folder: String) throws(ValetError) -> [String] {
        guard status(of: folder).map({ $0.st_mode & S_IFMT == S_IFDIR }) == true else {
            throw .storageFailed("there is no folder “\(folder)”: make it first")
        }
        guard access(folder, R_OK | X_OK) == 0 else {
            throw failure(folder, errno, doing: "read")
        }
        return entries(of: folder)
    }

    /// Removes the file and the files that SQLite may have put beside it.
    static func removeDatabase(_ path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { remove(path + suffix) }
    }

    static func failure(_ path: String, _ number: Int32, doing verb: String) -> ValetError {
        let message =
            switch number {
            case ENOENT: "there is no file “\(path)”: check the path"
            case EACCES, EPERM: "can't \(verb) “\(path)”: permission denied"
            case ENOTDIR: "there is no file “\(path)”: a part of the path is not a folder"
            case ELOOP: "can't \(verb) “\(path)”: its symbolic links form a circle"
            case ENOSPC: "can't \(verb) “\(path)”: the disk is full"
            default: "can't \(verb) “\(path)”: \(String(cString: strerror(number)))"
            }
        return .storageFailed(message)
    }

    fileprivate static func resolve(_ path: String) -> String? {
        // The system stops at a NUL, and would open another file than the one named.
        if path.utf8.contains(0) {
            errno = ENOENT
            return nil
        }
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

extension FilePath.Identity {
    fileprivate init(_ status: stat) {
        self.init(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }
}

extension FilePath.Stamp {
    fileprivate init(_ status: stat) {
        self.init(
            file: FilePath.Identity(status), byteCount: Int64(status.st_size),
            seconds: status.modified.tv_sec, nanoseconds: status.modified.tv_nsec)
    }
}

extension FilePath.Time {
    fileprivate init(_ time: timespec) {
        self.init(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }
}

extension stat {
    #if canImport(Darwin)
        var accessed: timespec { st_atimespec }
        var modified: timespec { st_mtimespec }
        fileprivate var changed: timespec { st_ctimespec }
    #else
        var accessed: timespec { st_atim }
        var modified: timespec { st_mtim }
        fileprivate var changed: timespec { st_ctim }
    #endif
}

/// A missing file has its own exit code.
package func requireFile(_ path: String) throws(CommandFailure) {
    // `/dev/stdin` has no path to resolve.
    guard FilePath.status(of: path) != nil else {
        throw CommandFailure(.notFound, "there is no file “\(path)”")
    }
}

// MARK: Contents

extension FilePath {
    /// The bytes of a small file. Reading stops as soon as it exceeds the limit.
    static func contents(_ path: String, limit: Int) throws(ValetError) -> [UInt8] {
        let resolved = try existingFile(path)
        let contents: [UInt8]
        do throws(SystemError) {
            contents = try OpenFile(resolved).read(upTo: limit + 1)
        } catch {
            throw failure(path, error.number, doing: "read")
        }
        guard contents.count <= limit else {
            throw ValetError(
                .limitExceeded, "“\(path)” is larger than \(limit) bytes, which is the limit")
        }
        return contents
    }

    // MARK: Temporary files

    /// The folder for temporary files: `TMPDIR`, or /tmp.
    static var temporaryFolder: String {
        guard let value = getenv("TMPDIR"), value.pointee != 0 else { return "/tmp" }
        let path = String(cString: value)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// A new unnamed file, open for reading and writing, that disappears when it is closed.
    static func namelessFile() throws(ValetError) -> Int32 {
        var template = Array((temporaryFolder + "/valet-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw failure(temporaryFolder, errno, doing: "make a file in")
        }
        unlink(template)
        return descriptor
    }

    static func write(
        _ bytes: ArraySlice<UInt8>, to descriptor: Int32, for name: String,
        in folder: String = temporaryFolder
    ) throws(ValetError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(folder, errno, doing: "copy “\(name)” to") }
            rest = rest.dropFirst(count)
        }
    }
}

/// Renamed, since the function above shadows the system's.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

// MARK: Locks

extension FilePath {
    /// Whether another process has a lock on some of these bytes of the file. By asking, this
    /// process loses its own locks on it.
    static func isLocked(bytes: Range<Int64>, of path: String) -> Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return isLocked(bytes: bytes, of: descriptor)
    }

    /// The same of a file that this process has open, which loses no lock.
    static func isLocked(bytes: Range<Int64>, ofOpen file: Identity) -> Bool {
        descriptor(of: file).map { isLocked(bytes: bytes, of: $0) } ?? false
    }

    private static func isLocked(bytes: Range<Int64>, of descriptor: Int32) -> Bool {
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        (lock.l_start, lock.l_len) = (off_t(bytes.lowerBound), off_t(bytes.count))
        return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    // MARK: Folders

    /// The names in a folder, without `.` and `..`; none if it can't be read.
    static func entries(of folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
