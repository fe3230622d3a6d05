import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The pages in a write-ahead log that no program has open
/// (https://www.sqlite.org/fileformat.html, section 4.1).
struct LogPages {
    /// As `Connection.logSalt` has it.
    let salt: UInt64
    private let path: String
    private let pageSize: Int

    private static let headerSize = 32
    private static let pageHeaderSize = 24

    /// nil if there is no log, or what is there is none.
    init?(_ path: String) {
        guard let log = RawFile(path), let header = log.bytes(at: 0, count: Self.headerSize),
            Self.number(header, at: 0) & ~1 == 0x377F_0682
        else { return nil }
        let size = Int(Self.number(header, at: 8))
        guard (512...65_536).contains(size), size & (size - 1) == 0 else { return nil }
        (self.path, pageSize, salt) = (path, size, Self.salt(header, at: 16))
    }

    /// Whether a checkpoint may have moved pages of it into the file: it moves all those of the
    /// commits up to one, in the order of their numbers, unless it is killed meanwhile. So the
    /// lowest of them are in the file, as that commit left them. That some page is in both may be
    /// chance: what was changed may have been changed back.
    func mayHaveBeenMoved(into file: RawFile) -> Bool {
        guard let log = RawFile(path) else { return false }
        /// Whether each page that was logged so far is in the file.
        var isMoved: [Int: Bool] = [:]
        var lowest: [Int] = []
        var place = Self.headerSize
        while let header = log.bytes(at: place, count: Self.pageHeaderSize),
            Self.salt(header, at: 8) == salt,
            let page = log.bytes(at: place + Self.pageHeaderSize, count: pageSize),
            case let number = Int(Self.number(header, at: 0)), number > 0
        {
            if isMoved[number] == nil {
                lowest = Array((lowest + [number]).sorted().prefix(Self.pagesCompared))
            }
            isMoved[number] = page == file.bytes(at: (number - 1) * pageSize, count: pageSize)
            let isCommit = Self.number(header, at: 4) > 0
            if isCommit, lowest.allSatisfy({ isMoved[$0] == true }) { return true }
            place += Self.pageHeaderSize + pageSize
        }
        return false
    }

    private static let pagesCompared = 8

    private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func salt(_ bytes: [UInt8], at offset: Int) -> UInt64 {
        bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// A file that is read beside SQLite. While a connection of this process has it open, closing this
/// would drop the connection's locks.
final class RawFile {
    private let descriptor: Int32

    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// nil if it has fewer.
    func bytes(at offset: Int, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
    }

    /// nil if it can't be read.
    var sample: UInt64? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return FileSample.digest(size: Int64(status.st_size)) { bytes(at: Int($0), count: $1) }
    }
}
