import Foundation

/// A program that writes to a pipe: it goes on as far as it is read.
final class PipedProgram {
    let process: RunningProcess
    private var descriptor: Int32

    init(_ program: Program, _ arguments: [String], in scratch: Scratch) throws {
        let pipe = scratch.path("pipe-\(UUID().uuidString)")
        // Opened before its writer, which would wait for that otherwise.
        guard mkfifo(pipe, 0o600) == 0,
            case let opened = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC),
            opened >= 0
        else { throw Unfinished(what: "a pipe: \(String(cString: strerror(errno)))") }
        descriptor = opened
        process = try program.start(arguments, in: scratch, output: pipe)
        _ = fcntl(descriptor, F_SETFL, 0)
    }

    /// Reads so many line feeds, or up to the end.
    /// - Returns: how many there were.
    func readLines(_ count: Int) -> Int {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        var lines = 0
        while lines < count, case let read = read(descriptor, &bytes, bytes.count), read > 0 {
            lines += bytes[..<read].count { $0 == UInt8(ascii: "\n") }
        }
        return lines
    }

    /// Closes the pipe, and waits for the end.
    func close() throws -> (code: Int32, message: String) {
        if descriptor >= 0 { _ = Foundation.close(descriptor) }
        descriptor = -1
        let code = try process.waitForEnd()
        return (code, String(decoding: try process.words, as: UTF8.self))
    }

    deinit {
        if descriptor >= 0 { _ = Foundation.close(descriptor) }
        process.end()
    }
}
