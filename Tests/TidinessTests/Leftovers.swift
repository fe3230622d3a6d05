/// What work leaves behind and nobody should read.
enum Leftovers {
    private struct Pattern {
        var message: String
        var texts: [String]
        /// Does the pattern count in the file at this path?
        var matters: @Sendable (SourceFile) -> Bool = { _ in true }
    }

    private static let unimplemented = ["not implemented", "unimplemented"]
    private static let patterns = [
        Pattern(message: "says what is still to do", texts: ["TODO", "FIXME", "// XXX"]),
        Pattern(message: "traps on an error", texts: ["try!"], matters: \.isSwift),
        Pattern(message: "is not there yet", texts: unimplemented.map { "fatalError(\"" + $0 }),
        Pattern(
            message: "waits for time to pass", texts: ["Thread.sleep", "Task.sleep", "usleep("],
            matters: \.isTest),
        Pattern(
            message: "names what a reader can't look up",
            texts: ["issue #", "Issue #", "pull request"]),
        Pattern(message: "names a place on one machine", texts: ["/work/"]),
    ]

    /// Modules whose business is standard output.
    private static let printing = ["ValetCommands", "ValetLoad", "valet", "valetd", "valet-load"]

    static func complaints(about file: SourceFile) -> [Complaint] {
        // Its examples are what it looks for.
        if file.target == "TidinessTests" { return [] }
        let found = patterns.filter { $0.matters(file) }.flatMap { pattern in
            pattern.texts.flatMap { file.complaints(where: $0, "“\($0)” \(pattern.message)") }
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
