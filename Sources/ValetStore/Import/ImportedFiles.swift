import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A database made of CSV files, a table for each, for whoever only wants to look at them.
///
/// It stands in a folder for such databases, under a name made of the paths, sizes and times of the
/// files: files that have not changed are not imported again. The folder is bounded, and what was
/// not used for the longest time goes first. Whoever uses a database keeps it locked. What comes
/// from standard input goes when this value does.
package final class ImportedFiles: Sendable {
    package let paths: [String]
    package let databasePath: String
    /// What was done to read files that are not as regular as they should be, a sentence each.
    package let notes: [String]
    private let isKept: Bool
    /// Of the files as they were read.
    private let key: String
    private let lock: Int32

    private static let suffix = ".sqlite"
    private static let standardInput = "-"

    /// - Parameters:
    ///   - paths: files, pipes, or `-` for standard input.
    ///   - folder: exists, and is the person's own.
    ///   - progress: called with the file that is read, the bytes done, and the total; the total
    ///     counts every byte twice, and is 0 while it is unknown.
    package init(
        _ paths: [String], in folder: String,
        progress: (_ path: String, _ bytesDone: Int, _ bytesTotal: Int) -> Void = { _, _, _ in },
        cancelled: () -> Bool = { false }
    ) throws(ValetError) {
        self.paths = paths
        isKept = !paths.contains(Self.standardInput)
        key = try Self.key(of: paths)
        databasePath = folder + "/" + key + Self.suffix
        if !FilePath.exists(databasePath) {
            let unfinished = "\(folder)/.\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
            do throws(ValetError) {
                var notes: [String] = []
                for (path, table) in zip(paths, Self.tables(of: paths)) {
                    _ = try CSVImport.run(
                        csvPath: path, databasePath: unfinished, table: table, isStrict: false,
                        repaired: { notes += $0.words.map { "\(table): \($0)" } },
                        progress: { done, total, _ in progress(path, done, total) },
                        cancelled: cancelled)
                }
                try Self.keep(notes, in: unfinished)
            } catch {
                FilePath.removeDatabase(unfinished)
                throw error
            }
            guard rename(unfinished, databasePath) == 0 else {
                FilePath.remove(unfinished)
                throw FilePath.failure(databasePath, errno, doing: "make")
            }
        }
        notes = Self.notes(in: databasePath)
        lock = open(databasePath, O_RDONLY | O_CLOEXEC)
        guard lock >= 0 else { throw FilePath.failure(databasePath, errno, doing: "open") }
        flock(lock, LOCK_SH | LOCK_NB)
        noteUse()
        Self.makeRoom(in: folder, files: Limits.importedDatabases, bytes: Limits.bytesImported)
    }

    deinit {
        if !isKept { FilePath.removeDatabase(databasePath) }
        close(lock)
    }

    /// Whether the files are still as they were read.
    package var areUnchanged: Bool { !isKept || (try? Self.key(of: paths)) == key }

    // MARK: What was done, for whenever the database is opened

    private static func keep(_ notes: [String], in path: String) throws(ValetError) {
        guard !notes.isEmpty else { return }
        let connection = try Connection(path: path, access: .write)
        try connection.run("CREATE TABLE _valet_repairs (words TEXT NOT NULL)")
        let insertion = try connection.prepare("INSERT INTO _valet_repairs VALUES (?)")
        for note in notes {
            insertion.bind(note, at: 0)
            _ = try insertion.step()
            insertion.reset()
        }
    }

    /// None for a file that needed no repairs.
    private static func notes(in path: String) -> [String] {
        guard let connection = try? Connection(path: path, access: .read),
            let statement = try? connection.prepare("SELECT words FROM _valet_repairs")
        else { return [] }
        var notes: [String] = []
        while (try? statement.step()) == true { notes.append(statement.text(0) ?? "") }
        return notes
    }

    /// The time of access tells when a database was used last; that of writing tells of changes.
    private func noteUse() {
        guard let status = FilePath.status(of: lock) else { return }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        futimens(lock, [now, status.modified])
    }

    /// Counts up when the same file becomes another table.
    private static let version = 3

    /// The same for the same files in the same state.
    private static func key(of paths: [String]) throws(ValetError) -> String {
        guard !paths.contains(standardInput) else {
            return "input-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        }
        var state = "\(version)\0"
        for path in paths {
            let file = try FilePath.existingFile(path)
            guard let found = FilePath.state(of: file) else {
                throw FilePath.failure(path, errno, doing: "open")
            }
            state += "\(file)\0\(found.stamp)\0\(found.changed)\0"
        }
        return String(ValueDigest(of: state.utf8).hash, radix: 16)
    }

    /// Names of tables: those of the files, numbered where they are the same.
    static func tables(of paths: [String]) -> [String] {
        var names: [String] = []
        for path in paths {
            let file = path.split(separator: "/").last.map(String.init) ?? path
            let stem = file.split(separator: ".").first.map(String.init) ?? file
            let name = path == standardInput ? "input" : stem
            var other = name
            var number = 1
            while names.contains(where: { SQL.caseFolded($0) == SQL.caseFolded(other) }) {
                number += 1
                other = "\(name) \(number)"
            }
            names.append(other)
        }
        return names
    }

    /// Removes databases that nobody uses, the last ones used excepted.
    static func makeRoom(in folder: String, files: Int, bytes: Int) {
        var found: [(path: String, used: Int, bytes: Int)] = []
        for name in FilePath.entries(of: folder) {
            let path = folder + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            found.append((path, status.accessed.tv_sec, Int(status.st_size)))
        }
        found.sort { $0.used > $1.used }
        var (filesLeft, bytesLeft) = (files, bytes)
        for file in found {
            filesLeft -= 1
            bytesLeft -= min(file.bytes, bytesLeft + 1)
            guard filesLeft < 0 || bytesLeft < 0 else { continue }
            let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { FilePath.removeDatabase(file.path) }
            close(descriptor)
        }
    }
}
