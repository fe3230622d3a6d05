import ValetModel

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `valet-fetch`: loads a CSV file, or an RSS or Atom document, from a file or a URL, and prints it
/// as CSV.
///
/// A process of its own, which the server starts for each refresh: what a stranger's server sends
/// is parsed where there is nothing to take, with a limit of memory and time, and can be killed at
/// any moment.
///
/// Standard output is the CSV, complete or empty. Standard error has lines `progress DONE OF`, in
/// bytes, with 0 for an unknown size, and at most one other line: why it failed.
package enum FetchProgram {
    package static func run(_ arguments: [String]) -> Never {
        boundProcess()
        do throws(ValetError) {
            let options = try FetchOptions(arguments)
            try write(try csv(of: try Source.document(options), options))
            exit(0)
        } catch {
            fail(error)
        }
    }

    static func csv(
        of document: Download.Document, _ options: FetchOptions
    ) throws(ValetError) -> [UInt8] {
        switch options.kind ?? Source.kind(of: document.bytes, named: options.source) {
        case .csv:
            guard !document.isCompressed else {
                throw ValetError(
                    .notAllowed,
                    "CSV came compressed, and so one can't tell whether it is whole")
            }
            return document.bytes
        case .rss, .atom:
            let items = try FeedReader.items(of: document.bytes, options)
            return FeedTable.csv(of: items, fields: options.fields)
        }
    }

    static func fail(_ error: ValetError) -> Never {
        let line = error.message.replacing("\n", with: " ")
        say("valet-fetch: \(line)")
        exit(1)
    }

    static func report(done: Int, of total: Int) {
        say("progress \(done) \(total)")
    }

    /// What can't be said is dropped: nobody could be told.
    private static func say(_ line: String) {
        try? OpenFile(dup(STDERR_FILENO)).write((line + "\n").utf8)
    }

    /// The last resort, should a library spin or take memory without end.
    private static func boundProcess() {
        // A sanitizer takes terabytes of addresses.
        #if !SANITIZED
            var memory = rlimit(
                rlim_cur: rlim_t(Limits.bytesOfFetch), rlim_max: rlim_t(Limits.bytesOfFetch))
            #if canImport(Darwin)
                setrlimit(RLIMIT_AS, &memory)
            #else
                setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
            #endif
        #endif
        alarm(UInt32(Limits.secondsPerFetch + 5))
        // A socket or a pipe whose other end has gone is an error of the one who writes.
        signal(SIGPIPE, SIG_IGN)
        // Parsing can wait: whoever serves goes first.
        _ = nice(10)
    }

    private static func write(_ bytes: [UInt8]) throws(ValetError) {
        do throws(SystemError) {
            try OpenFile(dup(STDOUT_FILENO)).write(bytes)
        } catch {
            throw ValetError(.storageFailed, "can't write to standard output")
        }
    }
}

package struct FetchOptions: Equatable, Sendable {
    /// A path, or a URL of http or https.
    package var source: String
    /// The folder that a path must lead into, with symbolic links resolved; nil: any.
    package var folder: String?
    /// nil: found out.
    package var kind: SourceKind?
    /// The columns of the CSV that is made of a feed's items.
    package var fields: [String] = []

    package init(source: String, kind: SourceKind? = nil, fields: [String] = []) {
        self.source = source
        self.kind = kind
        self.fields = fields.isEmpty ? FeedTable.standardFields : fields
    }

    package init(_ arguments: [String]) throws(ValetError) {
        var rest = arguments[...]
        var (kind, fields, folder) = (SourceKind?.none, [String](), String?.none)
        while let word = rest.first, word.hasPrefix("--") {
            rest = rest.dropFirst()
            if word == "--" { break }
            guard let value = rest.popFirst() else { throw Self.usage }
            switch word {
            case "--kind":
                guard let known = SourceKind(rawValue: value) else { throw Self.usage }
                kind = known
            case "--field": fields.append(value)
            case "--folder": folder = value
            default: throw Self.usage
            }
        }
        guard rest.count == 1, let source = rest.first else { throw Self.usage }
        self.init(source: source, kind: kind, fields: fields)
        self.folder = folder
    }

    private static var usage: ValetError {
        ValetError(
            .unexpected,
            "usage: valet-fetch [--kind csv|rss|atom] [--field NAME]… [--folder FOLDER] [--] "
                + "FILE-OR-URL")
    }
}
