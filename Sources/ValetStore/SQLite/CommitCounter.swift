import CSQLite
import Synchronization
import ValetModel

/// The number of the newest commit to a file in WAL mode: it names each commit, and so tells ours
/// from those of other programs.
///
/// It is the field `iChange` of the header of the wal-index, the memory that all connections to the
/// file share (https://www.sqlite.org/walformat.html). Exactly one is added by every commit, and
/// nothing by checkpoints and by transactions that write nothing. A commit copies the header's
/// second half first, so it shows here only once it shows to readers. The counter begins anew when
/// a program dies while it writes the header.
struct CommitCounter {
    /// Valid as long as any connection of this process to the file is in WAL mode.
    private let address: UnsafePointer<Atomic<UInt32>>

    private static let regionSize: Int32 = 32_768
    private static let offset = 8

    /// nil if the connection is not in WAL mode, or has no shared memory.
    init?(of connection: Connection) throws(ValetError) {
        // Asking for the memory of a file in another mode would make a file for it.
        guard try connection.isInWALMode() else { return nil }
        guard let file = connection.fileHandle(), let methods = file.pointee.pMethods,
            methods.pointee.iVersion >= 2, let map = methods.pointee.xShmMap
        else { return nil }
        var region: UnsafeMutableRawPointer?
        let result = map(file, 0, Self.regionSize, 0, &region)
        guard result == SQLITE_OK || result == SQLITE_READONLY, let region else { return nil }
        address = UnsafePointer(
            (region + Self.offset).assumingMemoryBound(to: Atomic<UInt32>.self))
    }

    var value: UInt32 { address.pointee.load(ordering: .acquiring) }
}

extension Connection {
    /// SQLite's handle of the database file.
    fileprivate func fileHandle() -> UnsafeMutablePointer<sqlite3_file>? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        return result == SQLITE_OK ? file : nil
    }

    func isInWALMode() throws(ValetError) -> Bool {
        let mode = try prepare(SQL.journalMode)
        return try mode.step() && mode.text(0) == "wal"
    }

    /// The file's change counter, which every commit outside WAL mode raises
    /// (https://www.sqlite.org/fileformat.html, section 1.3.7). Read through SQLite's own
    /// descriptor: closing another one would drop the locks of this process.
    func fileChangeCounter() -> UInt32? {
        var bytes: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
        guard let file = fileHandle(), let read = file.pointee.pMethods?.pointee.xRead,
            read(file, &bytes, 4, 24) == SQLITE_OK
        else { return nil }
        return UInt32(bytes.0) << 24 | UInt32(bytes.1) << 16 | UInt32(bytes.2) << 8
            | UInt32(bytes.3)
    }
}
