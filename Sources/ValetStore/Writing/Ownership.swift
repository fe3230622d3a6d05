import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The right to write a file: held by one process, as a lock on the file `FILE-valet` beside it,
/// which contains the owner's address and the owner's `FileNote`.
///
/// The lock ends with its process, however that ends. The file `FILE-valet` stays.
final class Ownership {
    /// What the last owner noted; nil if there is no note.
    let note: FileNote?
    /// The database.
    private let file: String
    private let address: String
    private var descriptor: Int32
    /// Of the file that the descriptor is of.
    private var identity: FilePath.Identity?
    /// The last note.
    private var written: FileNote?

    private static let attempts = 100
    private static let writingAttempts = 5

    /// - Parameter file: the database, with symbolic links resolved.
    init(of file: String, address: String) throws(ValetError) {
        if let count = FilePath.linkCount(of: file), count > 1 {
            throw .readOnly(
                "“\(file)” can't be changed while it has \(count) names (hard links): each would "
                    + "have a write-ahead log of its own, and two damage the file. Remove the "
                    + "others, or copy the file")
        }
        self.file = file
        self.address = String(
            address.split(separator: "\n").first?.prefix(Limits.bytesPerName / 4) ?? "")
        descriptor = try Self.lock(file, address: address)
        identity = FilePath.identity(of: descriptor)
        note = Self.note(in: descriptor)
        // Until there is a newer one, the next owner has to look for itself.
        var last = note
        last?.left = nil
        write(last)
    }

    /// Throws `.readOnly` if somebody has removed the lock's file and another process owns the
    /// database by now.
    func check() throws(ValetError) {
        if FilePath.identity(of: Self.path(of: file)) == identity { return }
        let locked = try Self.lock(file, address: address)
        close(descriptor)
        (descriptor, identity) = (locked, FilePath.identity(of: locked))
        write(nil)
    }

    private static func lock(_ file: String, address: String) throws(ValetError) -> Int32 {
        let path = path(of: file)
        for _ in 0..<attempts {
            let opened = open(path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o644)
            guard opened >= 0 else {
                // Its folder is away, as it is while somebody renames it.
                throw ValetError(
                    errno == ENOENT ? .busy : .readOnly,
                    "“\(file)” can't be changed: \(String(cString: strerror(errno))) for “\(path)”")
            }
            if flock(opened, LOCK_EX | LOCK_NB) == 0 {
                // Somebody may have removed it meanwhile.
                if FilePath.identity(of: path) == FilePath.identity(of: opened) { return opened }
                close(opened)
                continue
            }
            let refusal = refusal(for: file, lockedBy: opened, besides: nil)
            let owner = lines(of: opened).first
            close(opened)
            if let refusal {
                guard owner == address else { throw refusal }
                // An earlier opening of this process has not ended yet.
                usleep(5_000)
            }
        }
        throw .busy("“\(file)” is being opened again: try again in a moment")
    }

    deinit { close(descriptor) }

    /// Why another process than the one at `address` keeps the file from being changed; nil if none
    /// does.
    static func refusal(for file: String, besides address: String) -> ValetError? {
        reading(file) { refusal(for: file, lockedBy: $0, besides: address) }
    }

    /// nil if no process owns the file. A shared lock suffices, since others may be looking, too.
    private static func refusal(
        for file: String, lockedBy descriptor: Int32, besides address: String?
    ) -> ValetError? {
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return nil }
        let owner = lines(of: descriptor).first ?? ""
        guard owner != address else { return nil }
        // The advice comes first: a terminal cuts the end.
        let advice =
            owner.hasPrefix("valet")
            ? "open “\(owner)” instead"
            : "end the other Valet program first" + (owner.isEmpty ? "" : " (\(owner))")
        return .readOnly("\(advice), which owns “\(file)”")
    }

    /// What the owner of a file, which may be running, has noted.
    static func note(of file: String) -> FileNote? { reading(file) { note(in: $0) } }

    /// Whether a process owns the file.
    static func isOwned(_ file: String) -> Bool {
        reading(file) { flock($0, LOCK_SH | LOCK_NB) != 0 } ?? false
    }

    /// Calls `body` with a descriptor of the lock's file; nil if there is none.
    private static func reading<Value>(_ file: String, _ body: (Int32) -> Value?) -> Value? {
        let opened = open(path(of: file), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        return body(opened)
    }

    /// nil also for a note that was put back, with the file or without it: the system keeps the
    /// time at which it was last written, and nobody can set that.
    private static func note(in descriptor: Int32) -> FileNote? {
        for _ in 0..<attempts {
            let changed = FilePath.changeTime(of: descriptor)
            let lines = lines(of: descriptor)
            // The owner may be writing it.
            guard let changed, changed == FilePath.changeTime(of: descriptor) else { continue }
            guard lines.count > 1 else { return nil }
            let time = changed.microseconds
            let written = lines.count > 2 ? Int64(lines[2]) ?? time : time
            return distance(time, written) <= mostMicroseconds ? FileNote(lines[1]) : nil
        }
        return nil
    }

    /// Between the time in a note and the one that the system keeps, which may be some thousandths
    /// of a second behind the clock.
    private static let mostMicroseconds: UInt64 = 50_000

    private static func distance(_ one: Int64, _ other: Int64) -> UInt64 {
        let difference = one.subtractingReportingOverflow(other)
        return difference.overflow ? .max : difference.partialValue.magnitude
    }

    /// Notes the state of the file for the next owner, in place of the last note.
    func write(_ note: FileNote?) {
        written = note
        // Once more if the thread had to wait in between.
        for _ in 0..<Self.writingAttempts {
            let now = WallClock.now()
            let text = "\(address)\n\(note?.line ?? "")\n\(now)\n"
            _ = Array(text.utf8).withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
            let changed = FilePath.changeTime(of: descriptor)?.microseconds ?? now
            if Self.distance(changed, now) <= Self.mostMicroseconds / 2 { return }
        }
    }

    /// The log is about to be moved into the file: if this process is killed in the midst of that,
    /// the file has a part of it.
    func logIsBeingMoved() {
        if let written, written.log?.isBeingMoved == false { write(written.withLogBeingMoved) }
    }

    /// Makes sure that a loss of power leaves a note, if an older one than the last.
    func sync() { fsync(descriptor) }

    static func path(of file: String) -> String { file + "-valet" }

    private static func lines(of descriptor: Int32) -> [String] {
        var bytes = [UInt8](repeating: 0, count: Limits.bytesPerName)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
