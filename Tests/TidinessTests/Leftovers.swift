/// What work leaves behind and nobody should read.
enum Leftovers {
    private struct Pattern {
        var text: String
        var message: String
        /// Does the pattern count in the file at this path?
        var matters: @Sendable (SourceFile) -> Bool = { _ in true }
    }

    private static let patterns = [
        Pattern(text: "TODO", message: "says what is still to do"),
        Pattern(text: "FIXME", message: "says what is still to do"),
        Pattern(text: "// XXX", message: "says what is still to do"),
        Pattern(text: "try!", message: "traps on an error", matters: { $0.isSwift }),
        Pattern(text: "fatalError(\"not implemented", message: "is not there yet"),
        Pattern(text: "fatalError(\"unimplemented", message: "is not there yet"),
        Pattern(text: "Thread.sleep", message: "waits for time to pass", matters: { $0.isTest }),
        Pattern(text: "Task.sleep", message: "waits for time to pass", matters: { $0.isTest }),
        Pattern(text: "usleep(", message: "waits for time to pass", matters: { $0.isTest }),
        Pattern(text: "issue #", message: "names what a reader can't look up"),
        Pattern(text: "Issue #", message: "names what a reader can't look up"),
        Pattern(text: "pull request", message: "names what a reader can't look up"),
        Pattern(text: "/work/", message: "names a place on one machine"),
    ]

    /// Modules whose business is standard output.
    private static let printing = ["ValetCommands", "ValetLoad", "valet", "valetd", "valet-load"]

    static func complaints(about file: SourceFile) -> [Complaint] {
        // Its examples are what it looks for.
        if file.target == "TidinessTests" { return [] }
        let found = patterns.filter { $0.matters(file) }.flatMap {
            file.complaints(where: $0.text, "“\($0.text)” \($0.message)")
        }
        return found + prints(in: file)
    }

    private static func prints(in file: SourceFile) -> [Complaint] {
        guard file.isSwift, let target = file.target, !printing.contains(target) else { return [] }
        return file.complaints(where: "print(", "prints").filter { complaint in
            calls("print(", in: file.lines[(complaint.line ?? 1) - 1].text)
        }
    }

    /// False where `name` is the end of a longer one, such as `fingerprint(`.
    private static func calls(_ name: String, in line: Substring) -> Bool {
        var rest = line[...]
        while let start = rest.firstRange(of: name) {
            let before = rest[..<start.lowerBound].last
            if before.map({ !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }) ?? true {
                return true
            }
            rest = rest[start.upperBound...]
        }
        return false
    }
}
