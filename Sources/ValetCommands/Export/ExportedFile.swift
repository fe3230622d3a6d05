import Foundation
import ValetModel

/// A file that is there whole, or not at all: it is written beside its place, and put there when it
/// is finished.
struct ExportedFile {
    struct IsThere: Error {}

    let path: String
    /// Where it is written meanwhile.
    let unfinished: String
    private let replaces: Bool
    /// Of the file that is replaced: who may not read that may not read this.
    private let mode: mode_t?

    /// - Parameters:
    ///   - replaces: whether it may take the place of another.
    ///   - sources: the paths of files that the lists are of; none for those of a server.
    /// - Throws: `IsThere` for a file that may not be replaced.
    init(_ name: String, replaces: Bool, sources: [String]) throws {
        let isAtHome = name.utf8.starts(with: "~/".utf8)
        let place = isAtHome ? NSHomeDirectory() + name.dropFirst() : name
        let url = URL(filePath: place).resolvingSymlinksInPath()
        path = url.path
        self.replaces = replaces
        var status = stat()
        if lstat(path, &status) == 0 {
            mode = status.st_mode & 0o777
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw ValetError(.storageFailed, "“\(name)” is not an ordinary file: name another")
            }
            for source in sources {
                var own = stat()
                guard stat(source, &own) == 0, own.st_dev == status.st_dev,
                    own.st_ino == status.st_ino
                else { continue }
                throw ValetError(.storageFailed, "“\(name)” is the list's own file: name another")
            }
            for suffix in ["-wal", "-journal"] where access(path + suffix, F_OK) == 0 {
                throw ValetError(
                    .storageFailed,
                    "“\(name)” is in use, or was: there is “\(name)\(suffix)”. Name another file")
            }
            guard replaces else { throw IsThere() }
        } else {
            mode = nil
        }
        let folder = url.deletingLastPathComponent().path
        guard access(folder, W_OK) == 0 else {
            throw ValetError(
                .storageFailed, "can't write in “\(folder)”: \(SystemError(errno))")
        }
        unfinished = "\(folder)/.\(url.lastPathComponent).\(getpid()).part"
    }

    /// Writes the file by `body`. Whatever ends that early leaves what was there before.
    /// - Returns: its size in bytes.
    func write(_ body: (_ unfinished: String) async throws -> Void) async throws -> Int {
        discard()
        do {
            try await body(unfinished)
            var status = stat()
            guard mode.map({ chmod(unfinished, $0) }) ?? 0 == 0, stat(unfinished, &status) == 0
            else { throw failure }
            try putInPlace()
            return Int(status.st_size)
        } catch {
            discard()
            throw error
        }
    }

    private var failure: ValetError {
        ValetError(.storageFailed, "can't write “\(path)”: \(SystemError(errno))")
    }

    /// Somebody may have made a file of that name meanwhile.
    private func putInPlace() throws {
        if !replaces {
            if link(unfinished, path) == 0 { return discard() }
            if errno == EEXIST { throw IsThere() }
            // This file system may know no links.
        }
        guard rename(unfinished, path) == 0 else { throw failure }
    }

    private func discard() {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(unfinished + suffix) }
    }
}

extension RowExport {
    /// Writes the rows to a file.
    /// - Returns: its size in bytes.
    func write(
        to file: ExportedFile, as format: ExportFormat, progress: Progress
    ) async throws -> Int {
        try await file.write { unfinished in
            switch format {
            case .sqlite:
                try await SQLiteRows.writing(
                    unfinished, table: list.name, columns: columns.map { list.columns[$0] }
                ) { try await run(into: $0, progress: progress) }
            case .xlsx:
                let rows = try XLSXRows(
                    unfinished, title: list.title, columns: columns.map { list.columns[$0] },
                    rowCount: rowCount)
                try await run(into: rows, progress: progress)
            case .text(let format):
                let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
                guard descriptor >= 0 else {
                    throw ValetError(
                        .storageFailed, "can't write “\(file.path)”: \(SystemError(errno))")
                }
                defer { close(descriptor) }
                let output = StandardOutput(descriptor: descriptor, name: "“\(file.path)”")
                let rows = TextRows(names, writer: RecordWriter(format, output: output))
                try await run(into: rows, progress: progress)
                guard fsync(descriptor) == 0 else {
                    throw ValetError(
                        .storageFailed, "can't write “\(file.path)”: \(SystemError(errno))")
                }
            }
        }
    }
}
