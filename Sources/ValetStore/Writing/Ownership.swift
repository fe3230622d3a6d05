import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The right to write a file: held by one process, as a lock on the file `FILE-valet` beside it,
/// which contains the owner's address.
///
/// The lock ends with its process, however that ends. So a file that was left behind says nothing.
final class Ownership {
    private let path: String
    private let descriptor: Int32

    private static let attempts = 100

    /// - Parameter file: the database, with symbolic links resolved.
    init(of file: String, address: String) throws(ValetError) {
        path = file + "-valet"
        for _ in 0..<Self.attempts {
            let opened = open(path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o644)
            guard opened >= 0 else {
                throw ValetError(
                    .readOnly,
                    "“\(file)” can't be changed: \(String(cString: strerror(errno))) for “\(path)”")
            }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                let owner = Self.contents(of: opened)
                close(opened)
                throw ValetError(
                    .readOnly,
                    owner.isEmpty
                        ? "“\(file)” is changed by another Valet server: open its address instead"
                        : "“\(file)” is changed by another Valet server: open “\(owner)” instead")
            }
            // An owner that ended meanwhile has removed the file that is locked here.
            if FilePath.identity(of: path) == FilePath.identity(of: opened) {
                descriptor = opened
                ftruncate(opened, 0)
                try? FilePath.write(
                    ArraySlice(address.utf8.prefix(Limits.bytesPerName)), to: opened, for: path)
                return
            }
            close(opened)
        }
        throw ValetError(.readOnly, "“\(path)” comes and goes: remove what replaces it")
    }

    deinit {
        unlink(path)
        close(descriptor)
    }

    private static func contents(of descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: Limits.bytesPerName)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}
