import Foundation
import ValetModel

/// Buffered standard output, or a file. When the reader closes it (`| head`), the program ends
/// quietly.
final class StandardOutput {
    private let descriptor: Int32
    /// For errors.
    private let name: String
    private var bytes: [UInt8] = []
    private static let lump = 64 << 10

    init(descriptor: Int32 = STDOUT_FILENO, name: String = "standard output") {
        self.descriptor = descriptor
        self.name = name
    }

    /// Writes all that a command says.
    static func write(_ text: String) throws {
        let output = StandardOutput()
        try output.write(text)
        try output.flush()
    }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    func write(_ text: String) throws {
        try write { $0 += text.utf8 }
    }

    /// Appends what `body` appends.
    func write(_ body: (inout [UInt8]) -> Void) throws {
        body(&bytes)
        if bytes.count >= Self.lump { try flush() }
    }

    func flush() throws {
        var start = 0
        while start < bytes.count {
            let written = bytes.withUnsafeBytes { all in
                Foundation.write(descriptor, all.baseAddress! + start, all.count - start)
            }
            if written > 0 {
                start += written
            } else if errno == EPIPE {
                throw ReaderHasGone()
            } else if errno != EINTR {
                throw CommandFailure(
                    .failed, "can't write to \(name): \(SystemError(errno))")
            }
        }
        bytes.removeAll(keepingCapacity: true)
    }
}

/// The reader of standard output has closed it.
struct ReaderHasGone: Error {}
