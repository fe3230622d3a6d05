import ValetModel

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The bytes of a source: a regular file, or what a web server answers.
enum Source {
    static func document(_ options: FetchOptions) throws(ValetError) -> Download.Document {
        guard SourceKind.isURL(options.source) else {
            let path = try path(options.source, below: options.folder)
            return Download.Document(bytes: try contents(ofFile: path))
        }
        return try Download.document(at: options.source)
    }

    /// With symbolic links resolved, so that none leads out of the folder.
    private static func path(_ path: String, below folder: String?) throws(ValetError) -> String {
        guard let resolved = resolve(path) else {
            throw ValetError(.storageFailed, "can't be opened: \(String(cString: strerror(errno)))")
        }
        guard let folder else { return resolved }
        let parent = resolve(folder).map { $0.hasSuffix("/") ? $0 : $0 + "/" }
        guard let parent, resolved.hasPrefix(parent) else {
            throw ValetError(
                .notAllowed, "it is neither beside the catalog nor in a folder below it")
        }
        return resolved
    }

    private static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func contents(ofFile path: String) throws(ValetError) -> [UInt8] {
        // Without O_NONBLOCK, a pipe without a writer would hold up the program.
        let limit = Limits.bytesPerSource
        let (bytes, isRegular): ([UInt8], Bool)
        do throws(SystemError) {
            let file = try OpenFile(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
            var status = stat()
            isRegular = fstat(file.descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            // The file may grow while it is read.
            bytes = isRegular ? try file.read(upTo: limit + 1) : []
        } catch {
            throw ValetError(.storageFailed, "can't be read: \(error)")
        }
        guard isRegular else { throw ValetError(.storageFailed, "it is no regular file") }
        guard bytes.count <= limit else { throw .tooLarge }
        FetchProgram.report(done: bytes.count, of: bytes.count)
        return bytes
    }

    /// A document that begins with `<` is a feed, whichever its root element says. Files of these
    /// names, and all else, are CSV.
    static func kind(of bytes: [UInt8], named name: String) -> SourceKind {
        if let kind = SourceKind(ofFile: name) { return kind }
        let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00, 0x20, 0x09, 0x0A, 0x0D]
        return bytes.first { !marks.contains($0) } == UInt8(ascii: "<") ? .rss : .csv
    }
}

extension ValetError {
    static var tooLarge: ValetError {
        ValetError(
            .limitExceeded,
            "it has more than \(Limits.bytesPerSource) bytes (bytesPerSource)")
    }
}
