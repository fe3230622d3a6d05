import CSQLite
import ValetModel

/// SQLite's own files, with other functions for writing where a `FaultyDisk` holds them
/// (https://www.sqlite.org/vfs.html).
enum FaultyFiles {
    private struct State {
        var disks: [Weak] = []
        /// By the address of an open file.
        var files: [UInt: (disk: Weak, path: String)] = [:]
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
        return sqlite3_vfs_register(ours, 1) == SQLITE_OK
    }()

    private static func open(
        _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ flags: Int32, _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let system = sqlite3_vfs_find("unix"), let file else { return SQLITE_CANTOPEN }
        let name = path.map { String(cString: $0) }
        let disk = name.flatMap { name in
            state.withLock { $0.disks.first { $0.disk?.holds(name) == true } }
        }
        var flags = flags
        if disk?.disk?.isReadOnly == true, flags & SQLITE_OPEN_READWRITE != 0 {
            flags &= ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            flags |= SQLITE_OPEN_READONLY
        }
        let result = system.pointee.xOpen(system, path, file, flags, outFlags)
        guard result == SQLITE_OK, let disk, let name, let methods = file.pointee.pMethods else {
            return result
        }
        state.withLock { state in
            state.files[UInt(bitPattern: file)] = (disk, name)
            file.pointee.pMethods = Methods(bitPattern: changed(methods, &state))
        }
        return result
    }

    private static func changed(_ methods: Methods, _ state: inout State) -> UInt {
        if let known = state.changed[UInt(bitPattern: methods)] { return known }
        let ours = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        ours.initialize(to: methods.pointee)
        ours.pointee.xWrite = { file, bytes, count, offset in
            FaultyFiles.step(.write, file) { $0.xWrite(file, bytes, count, offset) }
        }
        ours.pointee.xSync = { file, flags in
            FaultyFiles.step(.sync, file) { $0.xSync(file, flags) }
        }
        ours.pointee.xTruncate = { file, size in
            FaultyFiles.step(.truncate, file) { $0.xTruncate(file, size) }
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
