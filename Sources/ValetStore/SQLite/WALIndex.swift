import CSQLite
import ValetModel

import struct Synchronization.Atomic

/// What the wal-index of a file in WAL mode says: the memory that all connections to the file share
/// (https://www.sqlite.org/walformat.html, section 2).
///
/// Each number is read by itself and without a lock, so numbers that are read together may be of
/// different moments.
struct WALIndex {
    /// Valid as long as any connection of this process to the file is in WAL mode.
    private let region: UnsafeMutableRawPointer

    /// Of the part that is read here, and the least that an index has.
    static let byteCount: Int64 = 32_768

    /// nil if the connection is not in WAL mode, or has no shared memory.
    init?(of connection: Connection) throws(ValetError) {
        // Asking for the memory of a file in another mode would make a file for it.
        guard try connection.isInWALMode() else { return nil }
        guard let file = connection.fileHandle(), let methods = file.pointee.pMethods,
            methods.pointee.iVersion >= 2, let map = methods.pointee.xShmMap
        else { return nil }
        var region: UnsafeMutableRawPointer?
        let result = map(file, 0, Int32(Self.byteCount), 0, &region)
        guard result == SQLITE_OK || result == SQLITE_READONLY, let region else { return nil }
        self.region = region
    }

    private func number(at offset: Int) -> UInt32 {
        UnsafePointer((region + offset).assumingMemoryBound(to: Atomic<UInt32>.self))
            .pointee.load(ordering: .acquiring)
    }

    /// The number of the newest commit (`iChange`): it names each commit, and so tells ours from
    /// those of other programs.
    ///
    /// Exactly one is added by every commit, and nothing by checkpoints and by transactions that
    /// write nothing. A commit copies the header's second half first, so it shows here only once it
    /// shows to readers. The counter begins anew when a program dies while it writes the header.
    var commit: UInt32 { number(at: 8) }

    /// How far the log's pages were moved into the file.
    struct Checkpoint: Equatable {
        /// Another one each time the log begins anew, which it does when all of it was moved.
        let salt: UInt64
        /// The first so many pages of the log were moved.
        let moved: UInt32
        /// Pages up to here may have been moved: noted before the first is.
        let begun: UInt32

        /// Whether a checkpoint may have written the file between `earlier` and now.
        func mayHaveWritten(since earlier: Checkpoint) -> Bool {
            self != earlier || begun != moved
        }
    }

    /// The number of committed pages in the log.
    var pageCount: UInt32 { number(at: 16) }

    /// Which page is at a place in the log; nil if the first part of the index doesn't tell.
    func pageNumber(at place: UInt32) -> UInt32? {
        guard place < Self.placesInFirstPart else { return nil }
        let page = number(at: Self.headerSize + 4 * Int(place))
        return page > 0 ? page : nil
    }

    private static let headerSize = 136
    /// What is left of 4,096 numbers beside the header.
    private static let placesInFirstPart = 4_096 - UInt32(headerSize / 4)

    /// The number of pages in the database.
    var pagesInDatabase: UInt32 { number(at: 20) }

    /// Whether the file alone is a database: either no page of the log was moved into it, or all.
    var isFileWhole: Bool {
        let now = checkpoint
        return now.begun == now.moved && (now.moved == 0 || now.moved == pageCount)
    }

    var checkpoint: Checkpoint {
        Checkpoint(
            salt: UInt64(number(at: 32)) | UInt64(number(at: 36)) << 32, moved: number(at: 96),
            begun: number(at: 128))
    }

    /// The size of the log's committed pages in bytes, headers included. The log is never shorter
    /// before it begins anew.
    var byteCount: Int64 {
        let pages = Int64(pageCount)
        // Kept in 16 bits, so that the largest page size, 65,536, reads as 1.
        let stored = Int64(number(at: 12) >> 16)
        let pageSize = (stored & 0xFE00) + ((stored & 1) << 16)
        return pages == 0 ? 0 : 32 + pages * (24 + pageSize)
    }
}

extension Connection {
    /// SQLite's handle of the database file, or of its log.
    func fileHandle(
        _ which: Int32 = SQLITE_FCNTL_FILE_POINTER
    ) -> UnsafeMutablePointer<sqlite3_file>? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let result = sqlite3_file_control(handle, "main", which, &file)
        return result == SQLITE_OK ? file : nil
    }

    func isInWALMode() throws(ValetError) -> Bool {
        let mode = try prepare(SQL.journalMode)
        return try mode.step() && mode.text(0) == "wal"
    }

    /// The file's change counter, which every commit outside WAL mode raises
    /// (https://www.sqlite.org/fileformat.html, section 1.3.7).
    func fileChangeCounter() -> UInt32? {
        fileBytes(at: 24, count: 4)?.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether the file's header says that it is in WAL mode.
    var hasWALHeader: Bool { fileBytes(at: 18, count: 2) == [2, 2] }

    /// Whether the file's header says that it has a rollback journal. A connection with an open log
    /// doesn't look at the header.
    var hasRollbackHeader: Bool { fileBytes(at: 18, count: 2) == [1, 1] }

    /// The salt in the header of the write-ahead log, as its index has it
    /// (https://www.sqlite.org/fileformat.html, section 4.1).
    func logSalt() -> UInt64? {
        bytes(of: SQLITE_FCNTL_JOURNAL_POINTER, at: 16, count: 8)?
            .reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Of the file as it is, without what is in its log. nil if it can't be read.
    func sample() -> FileSample? {
        byteCount(of: SQLITE_FCNTL_FILE_POINTER).flatMap { size in
            FileSample(byteCount: size) { fileBytes(at: $0, count: $1) }
        }
    }

    /// The size of the open log; nil if none is open.
    var logByteCount: Int64? { byteCount(of: SQLITE_FCNTL_JOURNAL_POINTER) }

    private func byteCount(of file: Int32) -> Int64? {
        var size: sqlite3_int64 = 0
        guard let file = fileHandle(file), let ask = file.pointee.pMethods?.pointee.xFileSize,
            ask(file, &size) == SQLITE_OK
        else { return nil }
        return size
    }

    /// The pages in the open log; nil if there are none.
    func logPages() -> LogPages? { LogPages { self.logBytes(at: Int64($0), count: $1) } }

    func logBytes(at offset: Int64, count: Int) -> [UInt8]? {
        bytes(of: SQLITE_FCNTL_JOURNAL_POINTER, at: offset, count: count)
    }

    func fileBytes(at offset: Int64, count: Int) -> [UInt8]? {
        bytes(of: SQLITE_FCNTL_FILE_POINTER, at: offset, count: count)
    }

    /// Bytes of a file, read through SQLite's own descriptor: closing another one would drop the
    /// locks of this process.
    private func bytes(of file: Int32, at offset: Int64, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        guard let file = fileHandle(file), let read = file.pointee.pMethods?.pointee.xRead,
            read(file, &bytes, Int32(count), offset) == SQLITE_OK
        else { return nil }
        return bytes
    }
}
