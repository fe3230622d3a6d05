import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The pages in a write-ahead log (https://www.sqlite.org/fileformat.html, section 4.1).
struct LogPages {
    typealias Bytes = (_ offset: Int, _ count: Int) -> [UInt8]?

    /// As `Connection.logSalt` has it.
    let salt: UInt64
    private let log: Bytes
    private let pageSize: Int
    /// Whether checksums are of words with the highest byte first.
    private let isBigEndian: Bool

    private static let headerSize = 32
    private static let pageHeaderSize = 24

    /// Of a log that no program has open. nil if there is no log, or what is there is none.
    init?(_ path: String) {
        guard let file = RawFile(path) else { return nil }
        self.init { file.bytes(at: $0, count: $1) }
    }

    /// nil if what is read is no log.
    init?(_ log: @escaping Bytes) {
        guard let header = log(0, Self.headerSize),
            Self.number(header, at: 0) & ~1 == 0x377F_0682
        else { return nil }
        let size = Int(Self.number(header, at: 8))
        guard (512...65_536).contains(size), size & (size - 1) == 0 else { return nil }
        (self.log, pageSize, salt) = (log, size, Self.salt(header, at: 16))
        isBigEndian = Self.number(header, at: 0) & 1 != 0
    }

    /// Whether checkpoints may have moved pages of it into the file. One moves the pages of the
    /// commits up to some one, in the order of their numbers, unless it is killed meanwhile: so the
    /// lowest of them are in the file. Beside a reader it leaves out those that were logged again
    /// after what the reader sees; of these the file may have an earlier state.
    ///
    /// That some page is in both may be chance: what was changed may have been changed back.
    ///
    /// - Parameter wasKilled: whether the checkpoint may have been killed after its first page.
    func mayHaveBeenMoved(into file: Bytes, wasKilled: Bool) -> Bool {
        let frames = frames()
        var last: [Int: Int] = [:]
        for (place, frame) in frames.enumerated() { last[frame.page] = place }
        /// Whether each page is in the file, as it was last logged so far.
        var isMoved: [Int: Bool] = [:]
        /// The lowest that are logged so far, in the order of their numbers.
        var pages: [Int] = []
        /// Of those that are not logged again, the lowest.
        var lowest: [Int] = []
        /// Whether some page that was logged again is in the file as it was before.
        var isSomeMoved = false
        for (place, frame) in frames.enumerated() {
            guard let page = page(at: UInt32(clamping: place)) else { break }
            let isInFile = page == file((frame.page - 1) * pageSize, pageSize)
            if isMoved.updateValue(isInFile, forKey: frame.page) == nil, wasKilled {
                let higher = pages.indices.firstNotBefore { pages[$0] < frame.page }
                pages.insert(frame.page, at: higher)
                if pages.count > Self.pagesLookedAt { pages.removeLast() }
            }
            if last[frame.page] == place {
                lowest = Array((lowest + [frame.page]).sorted().prefix(Self.pagesCompared))
            } else if isInFile {
                isSomeMoved = true
            }
            guard frame.isCommit else { continue }
            let fits = lowest.isEmpty ? isSomeMoved : lowest.allSatisfy { isMoved[$0] == true }
            if fits { return true }
            // More may have been logged since it was killed, also of what it moved first.
            for page in pages {
                if isMoved[page] == true { return true }
                if last[page, default: 0] <= place { break }
            }
        }
        return false
    }

    /// The numbers of the pages that are logged, in their order.
    private func frames() -> [(page: Int, isCommit: Bool)] {
        var frames: [(page: Int, isCommit: Bool)] = []
        while let header = log(offset(of: UInt32(clamping: frames.count)), Self.pageHeaderSize),
            Self.salt(header, at: 8) == salt,
            case let number = Int(Self.number(header, at: 0)), number > 0
        {
            frames.append((number, Self.number(header, at: 4) > 0))
        }
        return frames
    }

    private static let pagesCompared = 8
    /// For each commit: a log of any size is looked through before the server starts.
    private static let pagesLookedAt = 64

    /// Whether the file has what a checkpoint moved into it. Beside a reader, a checkpoint leaves
    /// out every page that was logged again after what the reader sees.
    ///
    /// - Parameters:
    ///   - moved: so many pages of the log were moved. Those that were logged last are compared.
    ///   - index: of the log. Its pages in memory spare reading the log's headers one by one.
    ///   - changed: what has changed in the file, and only a checkpoint may have.
    func areMoved(
        _ moved: UInt32, of index: WALIndex, into file: Bytes, changed: [Range<Int64>]
    ) -> Bool {
        let (logged, count) = (index.pageCount, index.pagesInDatabase)
        // Who looks while others wait can't read a log of any size.
        guard logged >= moved, logged - moved <= Self.pagesFollowed else { return true }
        let first = moved - min(moved, Self.pagesFollowed)
        /// Where each page was logged last.
        var last: [UInt32: UInt32] = [:]
        var newest: [UInt32] = []
        for place in (first..<logged).reversed() {
            guard let page = index.pageNumber(at: place) ?? number(at: place) else { return true }
            guard last[page] == nil else { continue }
            last[page] = place
            if place < moved, newest.count < Self.pagesCompared { newest.append(page) }
        }
        let others = changed.map { UInt32(clamping: $0.lowerBound / Int64(pageSize) + 1) }
        return (newest + others).allSatisfy { page in
            // A checkpoint moves no page that the database doesn't have.
            guard page <= count else { return true }
            guard let place = last[page] else { return first > 0 }
            guard place < moved else { return true }
            guard let found = file((Int(page) - 1) * pageSize, pageSize) else { return false }
            return self.page(at: place) == found
        }
    }

    private static let pagesFollowed: UInt32 = 4_096

    /// Whether a page is as it was logged: its checksum goes on from that of the page before.
    func isWhole(_ place: UInt32) -> Bool {
        let isFirst = place == 0
        guard let before = log(isFirst ? 24 : offset(of: place - 1) + 16, 8),
            let frame = log(offset(of: place), Self.pageHeaderSize + pageSize),
            // A hole is zeros, and so is their checksum.
            Self.salt(frame, at: 8) == salt
        else { return false }
        var (first, second) = (Self.number(before, at: 0), Self.number(before, at: 4))
        frame.withUnsafeBytes { bytes in
            func word(_ offset: Int) -> UInt32 {
                let stored = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                return isBigEndian ? UInt32(bigEndian: stored) : UInt32(littleEndian: stored)
            }
            var offset = 0
            while offset < bytes.count {
                first &+= word(offset) &+ second
                second &+= word(offset + 4) &+ first
                // The salt and the checksum itself are left out.
                offset = offset == 0 ? Self.pageHeaderSize : offset + 8
            }
        }
        return first == Self.number(frame, at: 16) && second == Self.number(frame, at: 20)
    }

    private func number(at place: UInt32) -> UInt32? {
        log(offset(of: place), 4).flatMap {
            let number = Self.number($0, at: 0)
            return number > 0 ? number : nil
        }
    }

    private func page(at place: UInt32) -> [UInt8]? {
        log(offset(of: place) + Self.pageHeaderSize, pageSize)
    }

    private func offset(of place: UInt32) -> Int {
        Self.headerSize + Int(place) * (Self.pageHeaderSize + pageSize)
    }

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
    var sample: FileSample? {
        guard let stamp = FilePath.stamp(of: descriptor) else { return nil }
        return FileSample(byteCount: stamp.byteCount) { bytes(at: Int($0), count: $1) }
    }
}
