import Crypto
import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that is read, or written, at any place, by any thread.
package final class OpenedFile: Sendable {
    private let path: String
    private let descriptor: Int32

    /// - Parameter creates: whether it is written, too, and made if it isn't there.
    package init(_ path: String, creates: Bool = false) throws(ValetError) {
        let flags = creates ? O_RDWR | O_CREAT : O_RDONLY
        descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FilePath.failure(path, errno, doing: "open") }
        self.path = path
    }

    deinit { close(descriptor) }

    package var byteCount: Int { Int(FilePath.stamp(of: descriptor)?.byteCount ?? 0) }

    /// - Returns: false if another process has done this.
    package func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Whether nobody has removed it, or given it another name.
    package var isAtItsPath: Bool {
        FilePath.identity(of: path) == FilePath.identity(of: descriptor)
    }

    /// - Returns: fewer bytes where the file ends.
    package func read(_ range: Range<Int>) throws(ValetError) -> [UInt8] {
        var failed: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count {
                let more = pread(
                    descriptor, buffer.baseAddress! + count, range.count - count,
                    off_t(range.lowerBound + count))
                if more < 0, errno == EINTR { continue }
                if more < 0 { failed = errno }
                if more <= 0 { return }
                count += more
            }
        }
        guard failed == 0 else { throw FilePath.failure(path, failed, doing: "read") }
        return bytes
    }

    package func write(_ bytes: [UInt8], at offset: Int) throws(ValetError) {
        var written = 0
        while written < bytes.count {
            let more = bytes[written...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + written))
            }
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { throw FilePath.failure(path, errno, doing: "write") }
            written += more
        }
    }

    /// Cuts it off, or fills it up.
    package func resize(to byteCount: Int) throws(ValetError) {
        guard ftruncate(descriptor, off_t(byteCount)) == 0 else {
            throw FilePath.failure(path, errno, doing: "write")
        }
    }

    package func sync() throws(ValetError) {
        guard fsync(descriptor) == 0 else { throw FilePath.failure(path, errno, doing: "sync") }
    }

    /// SHA-256 of all its bytes.
    package func digest(cancelled: () -> Bool = { false }) throws(ValetError) -> [UInt8] {
        var hash = SHA256()
        var offset = 0
        while case let bytes = try read(offset..<offset + 1 << 20), !bytes.isEmpty {
            if cancelled() {
                throw ValetError(.superseded, "the reading of “\(path)” was cancelled")
            }
            hash.update(data: bytes)
            offset += bytes.count
        }
        return Array(hash.finalize())
    }

    /// SHA-256.
    package static func digest(of bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}
