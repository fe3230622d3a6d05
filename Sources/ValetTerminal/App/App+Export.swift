import ValetClient
import ValetModel

/// What is taken along: `:export FILE` writes the rows of the query that holds, and `:command` is
/// the command line for them.
extension App {
    /// The export under way.
    struct RunningExport: Sendable {
        let request: WantedExport
        var done = 0
        var total: Int?
    }

    mutating func export(to path: String, replaces: Bool = false) -> [AppAction] {
        if let exporting {
            return say("\(exporting.request.path) is still being written: Esc cancels that")
        }
        guard let list, connection.isConnected else { return say("Offline: nothing to export") }
        // Only that moment's view has its rows, and whoever scrolls is using it.
        guard list.frozen == nil else { return say("The list is frozen: z first, then export it") }
        guard list.columns.taken != [] else { return say("No column is shown: o shows some") }
        let request = WantedExport(
            list: list.list, query: list.query, columns: list.columns.taken, path: path,
            replaces: replaces)
        exporting = RunningExport(request: request)
        return [calls.begin(.export(request))]
    }

    /// What the status line says meanwhile.
    var exportWords: String? {
        guard let exporting else { return nil }
        let rows = exporting.total.map { " \(exporting.done.grouped) of \($0.grouped)" } ?? ""
        return "exporting\(rows) to \(exporting.request.path)   Esc cancels"
    }

    mutating func exported(_ state: ExportState, _ request: WantedExport) {
        if case .running(let done, let total) = state {
            exporting = RunningExport(request: request, done: done, total: total)
            return
        }
        exporting = nil
        switch state {
        case .running: break
        case .done(let rows, let bytes):
            let selected = list?.selection.rowIDs.count ?? 0
            message = "Exported \(rowText(rows)) to \(request.path), \(bytes.grouped) bytes"
            if selected > 0 {
                message? += "   Not only the \(selected.grouped) selected: Y copies these"
            }
        case .isThere:
            confirmation = Confirmation(
                question: "\(request.path) is there already. Replace it?", keep: "Keep",
                act: "Replace", doing: .replaceFile(request.path))
        case .cancelled: message = "Not exported: cancelled"
        }
    }

    mutating func exportFailed(_ error: ValetError) {
        exporting = nil
        message = "Not exported: \(error.description)"
    }

    /// nil if nothing is exported.
    func cancelExport() -> [AppAction]? { exporting == nil ? nil : calls.stop(.export) }

    // MARK: The command line

    /// Copies the command line for what is on the screen, and shows it.
    mutating func showCommand() -> [AppAction] {
        guard let list else { return [] }
        guard list.query.expression == nil else {
            return say("No command line has this grouping: choose one by its number")
        }
        guard let target = options.target else {
            return say("No command line opens \(options.targetName) again")
        }
        guard !list.query.hasNUL else {
            return say("No command line can have the character NUL, which is in this query")
        }
        let lines = CommandLineText(
            of: list.query, in: list.list, columns: list.columns.taken ?? [], target: target
        ).lines
        palette = Palette(
            title: "Copied",
            items: lines.enumerated().map { place, line in
                Palette.Item(
                    keys: "", title: (place == 0 ? "" : "  ") + line, choice: .say("Copied"))
            }, isWide: true)
        return [.terminal(.copy(lines.joined(separator: " ")))]
    }
}

/// Rows that are to be written to a file: all that a query finds, of one revision.
package struct WantedExport: Hashable, Sendable {
    package var list: ListDescription
    package var query: Query
    /// In the order in which they are shown, at least one; nil for all.
    package var columns: [Int]?
    /// As a person has typed it. Its end names the format.
    package var path: String
    /// Whether the file may take the place of another.
    package var replaces: Bool
}

package enum ExportState: Hashable, Sendable {
    case running(done: Int, total: Int)
    case done(rows: Int, bytes: Int)
    /// There is such a file, which may not be replaced.
    case isThere
    case cancelled
}

/// The command that exports what a query finds, as a shell reads it.
struct CommandLineText {
    /// The command and its target, then each option.
    let lines: [String]

    /// - Parameter target: the words that name it.
    init(of query: Query, in list: ListDescription, columns: [Int], target: [String]) {
        var lines = [(["valet export"] + target.map(Self.quoted)).joined(separator: " ")]
        // A value with a sign before it would be read as an option.
        func add(_ option: String, _ value: String) {
            let gap = value.utf8.first == UInt8(ascii: "-") ? "=" : " "
            lines.append("\(option)\(gap)\(Self.quoted(value))")
        }
        add("--list", list.name)
        if let grouping = query.grouping { add("--group", grouping) }
        for sort in query.sort { add("--sort", (sort.isDescending ? "-" : "") + sort.column) }
        if let search = query.search {
            add("--search", search.text)
            if let scope = search.scope { add("--scope", scope) }
        }
        for condition in query.conditions { add("--where", condition.text(in: list.columns)) }
        for column in columns { add("--column", list.columns[column].name) }
        self.lines = lines
    }

    /// As one word of a shell.
    private static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                    || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || "-_./:,@+".utf8.contains(byte)
            }
        if isPlain { return text }
        // A control character would steer the shell's own editor.
        if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return escaped(text) }
        return "'\(text.replacing("'", with: "'\\''"))'"
    }

    /// `$'a\x1Bb'`, as bash, zsh and ksh read it.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'", "\\": escaped += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                escaped += "\\x" + (digits.count < 2 ? "0" : "") + digits
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return "$'\(escaped)'"
    }
}
