/// The form of files, whatever they say.
enum Layout {
    static let columns = 100
    static let linesPerFile = 400

    static func complaints(about file: SourceFile) -> [Complaint] {
        var complaints = widths(of: file) + blanks(in: file)
        let count = file.lines.count - 1
        if file.isSwift && !file.isGenerated && count > linesPerFile {
            complaints.append(Complaint(path: file.path, message: "has \(count) lines"))
        }
        return complaints
    }

    private static func widths(of file: SourceFile) -> [Complaint] {
        guard file.isSwift else { return [] }
        return file.lines.filter { $0.text.utf8.count > columns && $0.text.count > columns }
            .map { Complaint(path: file.path, line: $0.number, message: "is too wide") }
    }

    private static func blanks(in file: SourceFile) -> [Complaint] {
        var complaints = file.lines
            .filter { [0x20, 0x09, 0x0D].contains($0.text.utf8.last) }
            .map { Complaint(path: file.path, line: $0.number, message: "ends in a blank") }
        if !file.text.utf8.isEmpty && file.text.utf8.last != 0x0A {
            complaints.append(Complaint(path: file.path, message: "does not end in a line feed"))
        }
        return complaints
    }

    /// What may stand at the top, beside hidden files: true for what must.
    private static let top = [
        "Package.swift": true, "Sources": true, "Tests": true, "Scripts": true,
        "Proto": false, "README.md": false,
    ]

    static func complaints(aboutTopLevel names: [String]) -> [Complaint] {
        let strays = names.filter { !$0.hasPrefix(".") && top[$0] == nil }
        let missing = top.filter { $0.value && !names.contains($0.key) }.map(\.key)
        return strays.map { Complaint(path: $0, message: "is no part of the top level") }
            + missing.map { Complaint(path: $0, message: "is missing at the top level") }
    }
}
