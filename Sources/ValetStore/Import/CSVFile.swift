import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A CSV file that is read twice, through its own descriptor.
///
/// A pipe or standard input (`-`) can be read only once, so it is first copied to an unnamed
/// temporary file, which disappears with its descriptor.
final class CSVFile {
    let name: String
    let byteCount: Int
    let separator: UInt8
    private let descriptor: Int32
    private let stamp: FilePath.Stamp?

    private static let chunk = 256 << 10

    init(path: String, cancelled: () -> Bool) throws(ValetError) {
        let isStandardInput = path == "-"
        let file = isStandardInput ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FilePath.failure(path, errno, doing: "open") }
        guard let status = FilePath.status(of: file) else {
            close(file)
            throw FilePath.failure(path, errno, doing: "read")
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            close(file)
            throw .storageFailed("“\(path)” is a folder: name a file in it")
        }
        name = isStandardInput ? "standard input" : path
        if status.st_mode & S_IFMT == S_IFREG, !isStandardInput {
            descriptor = file
        } else {
            defer { close(file) }
            descriptor = try Self.spool(file, named: name, cancelled: cancelled)
        }
        stamp = FilePath.stamp(of: descriptor)
        byteCount = Int(stamp?.byteCount ?? 0)
        var beginning = [UInt8](repeating: 0, count: Self.chunk)
        let count = pread(descriptor, &beginning, beginning.count, 0)
        separator = CSVSeparator.found(in: beginning.prefix(max(count, 0)), ofFile: name)
    }

    deinit { close(descriptor) }

    /// Calls `body` with the file's chunks from the beginning, and the number of bytes so far. A
    /// chunk is valid only during the call.
    func forEachChunk(
        _ body: (UnsafeRawBufferPointer, Int) throws(ValetError) -> Void
    ) throws(ValetError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
        defer { buffer.deallocate() }
        var place = 0
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
            if count == 0 { break }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FilePath.failure(name, errno, doing: "read") }
            place += count
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), place)
        }
        // Types found in the first pass must hold in the second.
        guard FilePath.stamp(of: descriptor) == stamp else {
            throw .storageFailed("“\(name)” was changed while it was read: import it again")
        }
    }

    // MARK: Spooling

    /// Copies the input to an unnamed file. Only the disk's free space bounds it.
    private static func spool(
        _ source: Int32, named name: String, cancelled: () -> Bool
    ) throws(ValetError) -> Int32 {
        let spool = try FilePath.namelessFile()
        do throws(ValetError) {
            var buffer = [UInt8](repeating: 0, count: chunk)
            while true {
                if cancelled() { throw CSVImport.cancelled(name) }
                let count = read(source, &buffer, buffer.count)
                if count == 0 { return spool }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw FilePath.failure(name, errno, doing: "read") }
                try FilePath.write(buffer[..<count], to: spool, for: name)
            }
        } catch {
            close(spool)
            throw error
        }
    }
}
