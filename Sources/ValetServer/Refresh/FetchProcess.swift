import ValetModel
import ValetStore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A running `valet-fetch`, which loads a source and prints it as CSV.
///
/// What it prints is bounded here once more, and so is its time: it is a process so that whatever
/// comes from the web can do no harm to this one.
final class FetchProcess: Sendable {
    /// CSV doubles quotes, and a feed's texts are put into some.
    private static let bytesOfOutput = 3 * Limits.bytesPerSource
    private static let seconds = Limits.secondsPerFetch + 10

    private let output: Int32
    private let errors: Int32
    /// nil when it has ended and was waited for: then its number may be another's.
    private let number: Mutex<pid_t?>

    init(_ program: String, _ source: ListSource) throws(ValetError) {
        var arguments = source.kind.map { ["--kind", $0.rawValue] } ?? []
        arguments += source.fieldNames.flatMap { ["--field", $0] }
        arguments += source.folder.map { ["--folder", $0] } ?? []
        arguments += ["--", source.address]
        let started = try Self.start(program, arguments)
        (output, errors) = (started.output, started.errors)
        number = Mutex(started.number)
    }

    deinit {
        stop()
        _ = wait()
        close(output)
        close(errors)
    }

    /// May be called on any thread, and at any time.
    func stop() {
        number.withLock { number in
            if let number { _ = kill(number, SIGKILL) }
        }
    }

    /// Reads to the end.
    /// - Parameter progress: bytes that were loaded, and all of them if that is known.
    func output(_ progress: (Int, Int?) -> Void) throws(ValetError) -> [UInt8] {
        var bytes: [UInt8] = []
        var words = FetchWords()
        let end = ContinuousClock.now + .seconds(Self.seconds)
        var open = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
        ]
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while open.contains(where: { $0.fd >= 0 }) {
            guard ContinuousClock.now < end, bytes.count <= Self.bytesOfOutput else {
                stop()
                throw ValetError(
                    .timedOut, "it took longer than \(Self.seconds) seconds, or sent too much")
            }
            guard poll(&open, nfds_t(open.count), 1_000) >= 0 || errno == EINTR else { break }
            for place in open.indices where open[place].fd >= 0 && open[place].revents != 0 {
                let count = read(open[place].fd, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    open[place].fd = -1
                    continue
                }
                if place == 0 {
                    bytes += buffer[..<count]
                } else {
                    words.take(buffer[..<count], progress)
                }
            }
        }
        guard wait() == 0 else {
            throw ValetError(.storageFailed, words.failure ?? "valet-fetch ended unexpectedly")
        }
        return bytes
    }

    /// Waits for its end.
    /// - Returns: the status as the system has it; 0 is success.
    private func wait() -> Int32 {
        guard let child = number.withLock({ $0 }) else { return -1 }
        var status: Int32 = 0
        // Without reaping: until then the number is this child's, and may be killed.
        var information = siginfo_t()
        while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        number.withLock { number in
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            number = nil
        }
        return status
    }
}

/// What `valet-fetch` writes to standard error, line by line.
struct FetchWords {
    private var line: [UInt8] = []
    private(set) var failure: String?

    mutating func take(_ bytes: some Sequence<UInt8>, _ progress: (Int, Int?) -> Void) {
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                if line.count < Limits.bytesPerMessage { line.append(byte) }
                continue
            }
            end(String(decoding: line, as: UTF8.self), progress)
            line = []
        }
    }

    private mutating func end(_ line: String, _ progress: (Int, Int?) -> Void) {
        let words = line.split(separator: " ")
        if words.count == 3, words[0] == "progress", let done = Int(words[1]),
            let total = Int(words[2]), done >= 0, total >= 0
        {
            return progress(done, total == 0 ? nil : max(done, total))
        }
        let prefix = "valet-fetch: "
        failure = line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line
    }
}

// MARK: - The system

extension FetchProcess {
    /// `valet-fetch` beside this program, as it is built, or where it is installed; nil if there is
    /// none.
    static let programOfThis: String? = {
        guard let own = ownPath, let slash = own.lastIndex(of: "/") else { return nil }
        return ["/valet-fetch", "/../libexec/valet/valet-fetch"].map { own[..<slash] + $0 }
            .first { access($0, X_OK) == 0 }
    }()

    private static var ownPath: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        #if canImport(Darwin)
            var size = UInt32(path.count)
            guard _NSGetExecutablePath(&path, &size) == 0 else { return nil }
            return String(cString: path)
        #else
            let count = readlink("/proc/self/exe", &path, path.count - 1)
            guard count > 0 else { return nil }
            return String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        #endif
    }

    private static func start(
        _ program: String, _ arguments: [String]
    ) throws(ValetError) -> (number: pid_t, output: Int32, errors: Int32) {
        let output = try makePipe()
        defer { close(output.write) }
        let errors: (read: Int32, write: Int32)
        do throws(ValetError) {
            errors = try makePipe()
        } catch {
            close(output.read)
            throw error
        }
        defer { close(errors.write) }
        var number: pid_t = 0
        let failure = spawn(&number, program, arguments, output: output.write, errors: errors.write)
        guard failure == 0 else {
            close(output.read)
            close(errors.read)
            throw ValetError(
                .storageFailed, "can't start valet-fetch: \(String(cString: strerror(failure)))")
        }
        return (number, output.read, errors.read)
    }

    private static func makePipe() throws(ValetError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ValetError(
                .storageFailed, "can't start valet-fetch: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    #if !canImport(Darwin)
        /// Descriptors that the process might inherit. It does no harm to close one that is closed,
        /// and those that other threads open meanwhile get low numbers.
        private static func descriptorsToClose() -> Range<Int32> {
            var highest: Int32 = 1_024
            if let folder = opendir("/proc/self/fd") {
                defer { closedir(folder) }
                while let entry = readdir(folder) {
                    // In place: an entry may be shorter than its type, and end with its page.
                    let name = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                        String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
                    }
                    highest = max(highest, Int32(name) ?? 0)
                }
            }
            return 3..<(highest + 256)
        }
    #endif

    private static func spawn(
        _ number: inout pid_t, _ program: String, _ arguments: [String], output: Int32,
        errors: Int32
    ) -> Int32 {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This thread may block signals, and ignores SIGPIPE. A group of its own, so that ^C in the
        // terminal is this program's to handle.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        // The sockets of clients and the files of the database are not its own.
        #if canImport(Darwin)
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
            for descriptor in descriptorsToClose() {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        #endif
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for string in argv { free(string) } }
        return posix_spawn(&number, program, &actions, &attributes, &argv, environ)
    }
}
