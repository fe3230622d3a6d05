#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file that is open for as long as this is there.
///
/// In place of Foundation's handles, which bring all of Foundation into a program, with 34 MB of
/// data on languages.
package struct OpenFile: ~Copyable {
    package let descriptor: CInt

    /// Takes over a descriptor, and closes it.
    package init(_ descriptor: CInt) { self.descriptor = descriptor }

    /// - Parameter flags: beside `O_CLOEXEC`.
    package init(
        _ path: String, _ flags: CInt = O_RDONLY, mode: mode_t = 0o600
    ) throws(SystemError) {
        let descriptor = open(path, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .last }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Whether everybody on this computer may change it.
    package var isWritableByAll: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IWOTH != 0
    }

    /// - Returns: what is left of it, but at most `limit` bytes.
    package func read(upTo limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(max(limit, 1), 64 << 10))
        while bytes.count < limit {
            let count = systemRead(descriptor, &buffer, min(buffer.count, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Writes all of the bytes.
    package func write(_ bytes: some Sequence<UInt8>) throws(SystemError) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns when it is on the disk.
    package func synchronize() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }
}

/// What the system says of a call that failed.
package struct SystemError: Error, CustomStringConvertible {
    package let number: CInt

    package init(_ number: CInt) { self.number = number }

    static var last: SystemError { SystemError(errno) }

    package var description: String { String(cString: strerror(number)) }
}

private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int
{
    read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
