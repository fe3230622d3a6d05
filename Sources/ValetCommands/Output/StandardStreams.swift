import Foundation
import ValetTerminal

/// The program's standard streams, which may be closed, full, or read by nobody.
enum StandardStreams {
    /// Takes the places of those that are closed: else files and sockets would get their numbers,
    /// and what is said would end up there. They are open for reading alone, so that whoever writes
    /// gets an error as before.
    static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Says something on standard error in a line of its own, whatever names are in it.
    static func warn(_ words: String) {
        say("valet: " + Sanitizer().line(of: words) + "\n")
    }

    /// Says something on standard error. What can't be written is dropped: nobody could be told.
    static func say(_ words: String, on descriptor: Int32 = STDERR_FILENO) {
        var rest = Array(words.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
