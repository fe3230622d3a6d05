import Foundation
import Testing

/// One real terminal: tmux with a socket of its own and nobody's configuration.
final class TerminalWindow {
    private let scratch: Scratch
    private let socket: String

    static let tmux: String? = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Runs `command` in a shell that stays when it has ended.
    init(_ command: String, columns: Int = 80, rows: Int = 24, in scratch: Scratch) throws {
        self.scratch = scratch
        socket = scratch.path("tmux-\(UInt16.random(in: 0...UInt16.max))")
        let script = "printf 'before\\n'; \(command); printf 'code %s\\n' $?; exec cat"
        try run([
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
            "sh", "-c", script,
        ])
    }

    /// Runs valet on `target`.
    convenience init(
        valet target: String, _ options: String = "", columns: Int = 80, rows: Int = 24,
        in scratch: Scratch
    ) throws {
        try self.init(
            "'\(Program.valet.path)' '\(target)' \(options)", columns: columns, rows: rows,
            in: scratch)
    }

    /// The same, where the process has to be known.
    /// - Returns: the window, and the number of the process.
    static func ofProcess(
        _ target: String, in scratch: Scratch
    ) throws -> (window: TerminalWindow, process: Int32) {
        // The shell hands its own process over, whose number is known before.
        let window = try TerminalWindow(
            "sh -c 'echo $$ > \(scratch.path("pid")); exec \(Program.valet.path) \(target)'",
            in: scratch)
        try window.wait(for: "● live", " 1 of ")
        let text = try String(contentsOf: URL(filePath: scratch.path("pid")), encoding: .utf8)
        return (window, try #require(Int32(text.trimmingCharacters(in: .newlines))))
    }

    @discardableResult
    private func run(_ arguments: [String]) throws -> String {
        let tmux = try #require(TerminalWindow.tmux)
        let done = try RunningProcess(tmux, ["-u", "-S", socket] + arguments, in: scratch).finish()
        guard done.code == 0 else { throw Unfinished(what: "tmux \(arguments)") }
        return done.text
    }

    /// A key as tmux names it, or text as it is.
    enum Stroke: ExpressibleByStringLiteral {
        case key(String)
        case text(String)

        init(stringLiteral key: String) { self = .key(key) }
    }

    /// - Parameter texts: what is waited for then, each in some line.
    @discardableResult
    func press(
        _ strokes: Stroke..., shows texts: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        let commands = strokes.map { stroke in
            switch stroke {
            case .key(let key): ["send-keys", key]
            case .text(let text): ["send-keys", "-l", text]
            }
        }
        try run(Array(commands.joined(separator: [";"])))
        return texts.isEmpty ? [] : try wait(for: texts, sourceLocation: sourceLocation)
    }

    func resize(columns: Int, rows: Int) throws {
        try run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// Lines without the blanks at their ends.
    var lines: [String] {
        get throws {
            trimmedLines(of: try run(["capture-pane", "-p"]))
        }
    }

    func answer(_ format: String) throws -> String {
        try run(["display-message", "-p", format]).trimmingCharacters(in: .newlines)
    }

    /// Copies all bytes that reach the terminal from now on.
    func record(to path: String) throws {
        try run(["pipe-pane", "-o", "cat >> '\(path)'"])
    }

    /// Waits until each of `texts` stands in some line.
    @discardableResult
    func wait(for texts: String..., sourceLocation: SourceLocation = #_sourceLocation) throws
        -> [String]
    {
        try wait(for: texts, sourceLocation: sourceLocation)
    }

    private func wait(for texts: [String], sourceLocation: SourceLocation) throws -> [String] {
        var last: [String] = []
        do {
            return try eventually("\(texts)") {
                last = try lines
                let isThere = texts.allSatisfy { text in last.contains { $0.contains(text) } }
                return isThere ? last : nil
            }
        } catch {
            Issue.record(
                "\(texts) never came; the screen was:\n\(last.joined(separator: "\n"))",
                sourceLocation: sourceLocation)
            throw error
        }
    }

    /// Waits until no line has `text`.
    func wait(untilGone text: String) throws {
        try eventually("\(text) is gone") { try !lines.contains { $0.contains(text) } }
    }

    deinit {
        _ = try? run(["kill-server"])
    }
}

extension Trait where Self == ConditionTrait {
    static var needsTmux: Self {
        .enabled(if: TerminalWindow.tmux != nil, "needs tmux: apt-get install tmux")
    }
}

/// Lines without the blanks at their ends.
private func trimmedLines(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
}

extension TerminalWindow {
    /// Waits until it shows the picture of the same target in its size.
    func wait(
        forPictureOf target: String, columns: Int, rows: Int, _ options: String...
    ) throws {
        let size = "\(columns)x\(rows)"
        let picture = try scratch.valet(["snapshot", target, "--size", size] + options)
        let drawn = steady(trimmedLines(of: picture.text))
        var shown: [String] = []
        do {
            try eventually("the picture of \(size)") {
                shown = steady(try lines)
                return shown == drawn
            }
        } catch {
            #expect(shown == drawn, "\(size)")
        }
    }
}

/// A screen's lines without what depends on the moment: how the line is, right of the title.
func steady(_ lines: [String]) -> [String] {
    var lines = lines
    while lines.last == "" { lines.removeLast() }
    guard let title = lines.first, let mark = title.firstIndex(where: "⊘●◐".contains) else {
        return lines
    }
    lines[0] = String(title[..<mark].reversed().drop { $0 == " " }.reversed())
    return lines
}
