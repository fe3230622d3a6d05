import CSQLite
import Foundation
import ValetModel

/// SQLite's own files, with other functions for writing where a `FaultyDisk` holds them
/// (https://www.sqlite.org/vfs.html).
enum FaultyFiles {
    private struct OpenFile {
        var disk: Weak
        var path: String
        /// SQLite's next sync of it makes its name last, too.
        var isNameSynced: Bool
    }

    private struct State {
        var disks: [Weak] = []
        /// By the address of an open file.
        var files: [UInt: OpenFile] = [:]
        /// Changed copies of SQLite's tables of functions, by the addresses of those; and back.
        var changed: [UInt: UInt] = [:]
        var originals: [UInt: UInt] = [:]
    }

    private struct Weak {
        weak var disk: FaultyDisk?
    }

    private typealias Methods = UnsafePointer<sqlite3_io_methods>
    private static let state = Mutex(State())

    static func add(_ disk: FaultyDisk) {
        state.withLock { state in
            state.disks.removeAll { $0.disk == nil }
            state.disks.append(Weak(disk: disk))
        }
    }

    /// All files that are opened from now on come here.
    static let isDefault: Bool = {
        guard let system = sqlite3_vfs_find(nil) else { return false }
        let ours = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        ours.initialize(to: system.pointee)
        ours.pointee.pNext = nil
        let name: StaticString = "valet-test"
        ours.pointee.zName = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        ours.pointee.xOpen = { _, path, file, flags, outFlags in
            FaultyFiles.open(path, file, flags, outFlags)
        }
        ours.pointee.xDelete = { _, path, isSynced in FaultyFiles.delete(path, isSynced != 0) }
        return sqlite3_vfs_register(ours, 1) == SQLITE_OK
    }()

    private static func disk(of path: String) -> Weak? {
        state.withLock { $0.disks.first { $0.disk?.holds(path) == true } }
    }

    private static func open(
        _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ flags: Int32, _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let system = sqlite3_vfs_find("unix"), let file else { return SQLITE_CANTOPEN }
        let name = path.map { String(cString: $0) }
        let weak = name.flatMap(disk)
        guard let name, let weak, let disk = weak.disk else {
            return system.pointee.xOpen(system, path, file, flags, outFlags)
        }
        var flags = flags
        if disk.isReadOnly, flags & SQLITE_OPEN_READWRITE != 0 {
            flags &= ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            flags |= SQLITE_OPEN_READONLY
        }
        let isThere = FileManager.default.fileExists(atPath: name)
        let isNew = flags & SQLITE_OPEN_CREATE != 0
        if isThere || isNew {
            let allowed = disk.result(
                of: .open(isNew: !isThere) {
                    isThere ? (try? Data(contentsOf: URL(filePath: name))).map(Array.init) : nil
                }, on: name)
            // SQLite closes what has functions.
            file.pointee.pMethods = nil
            guard allowed == SQLITE_OK else { return allowed }
        }
        let result = system.pointee.xOpen(system, path, file, flags, outFlags)
        guard result == SQLITE_OK, let methods = file.pointee.pMethods else { return result }
        let isBeside = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0
        state.withLock { state in
            state.files[UInt(bitPattern: file)] = OpenFile(
                disk: weak, path: name, isNameSynced: isNew && isBeside)
            file.pointee.pMethods = Methods(bitPattern: changed(methods, &state))
        }
        return result
    }

    private static func delete(_ path: UnsafePointer<CChar>?, _ isSynced: Bool) -> Int32 {
        guard let system = sqlite3_vfs_find("unix"), let path else { return SQLITE_IOERR }
        let name = String(cString: path)
        if FileManager.default.fileExists(atPath: name), let disk = disk(of: name)?.disk {
            let allowed = disk.result(of: .delete(isSynced: isSynced), on: name)
            guard allowed == SQLITE_OK else { return allowed }
        }
        return system.pointee.xDelete(system, path, isSynced ? 1 : 0)
    }

    private static func changed(_ methods: Methods, _ state: inout State) -> UInt {
        if let known = state.changed[UInt(bitPattern: methods)] { return known }
        let ours = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        ours.initialize(to: methods.pointee)
        ours.pointee.xWrite = { file, bytes, count, offset in
            let written = UnsafeRawBufferPointer(start: bytes, count: Int(count))
            return FaultyFiles.step(.write(written, at: Int(offset)), file) {
                $0.xWrite(file, bytes, count, offset)
            }
        }
        ours.pointee.xSync = { file, _ in
            let isOfFolder = FaultyFiles.isNameSynced(file)
            // The account is what counts, and the drive would be waited for.
            return FaultyFiles.step(.sync(isOfFolder: isOfFolder), file) { _ in SQLITE_OK }
        }
        ours.pointee.xTruncate = { file, size in
            FaultyFiles.step(.truncate(to: Int(size)), file) { $0.xTruncate(file, size) }
        }
        ours.pointee.xClose = { file in
            let original = FaultyFiles.original(file)
            FaultyFiles.state.withLock { $0.files[UInt(bitPattern: file)] = nil }
            return original?.pointee.xClose(file) ?? SQLITE_IOERR
        }
        state.changed[UInt(bitPattern: methods)] = UInt(bitPattern: ours)
        state.originals[UInt(bitPattern: ours)] = UInt(bitPattern: methods)
        return UInt(bitPattern: ours)
    }

    private static func original(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Methods? {
        guard let ours = file?.pointee.pMethods else { return nil }
        return state.withLock { Methods(bitPattern: $0.originals[UInt(bitPattern: ours)] ?? 0) }
    }

    /// Whether the sync that is about to be made is the first of a log or a journal.
    private static func isNameSynced(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Bool {
        state.withLock { state in
            let address = UInt(bitPattern: file)
            defer { state.files[address]?.isNameSynced = false }
            return state.files[address]?.isNameSynced ?? false
        }
    }

    private static func step(
        _ step: FaultyDisk.Step, _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ body: (sqlite3_io_methods) -> Int32
    ) -> Int32 {
        guard let original = original(file) else { return SQLITE_IOERR }
        let held = state.withLock { $0.files[UInt(bitPattern: file)] }
        if let held, let disk = held.disk.disk {
            let result = disk.result(of: step, on: held.path)
            guard result == SQLITE_OK else { return result }
        }
        return body(original.pointee)
    }
}
