import TestSupport
import Testing

/// What is done in the rows of a list, in real terminals.
@Suite(
    .runsPrograms, .enabled(if: TerminalWindow.tmux != nil, "needs tmux: apt-get install tmux"))
struct ListKeysTests {
    private func open(csv: String, columns: Int = 80, in scratch: Scratch) throws -> TerminalWindow
    {
        let path = try scratch.database(table: "wide", csv: csv)
        return try TerminalWindow(
            "'\(Program.valet.path)' '\(path)'", columns: columns, in: scratch)
    }

    @Test func theCellCursorSortsGroupsAndScrolls() throws {
        try Scratch.with { scratch in
            let columns = (1...9).map { "a long label \($0)" }.joined(separator: ",")
            let rows = (0..<50).map { "n\(100 + $0),t\($0 % 3),1,2,3,4,5,6,7,8,\(99 - $0)\n" }
            let window = try open(csv: "name,town,\(columns)\n\(rows.joined())", in: scratch)
            try window.wait(for: "● live", "a long label 1", "▌  n100", " ›")
            for _ in 0..<9 { try window.press("Right") }
            try window.type("l")
            try window.wait(for: "a long label 9")
            try window.type("s")
            try window.wait(for: "a long label 9 ▲")
            try window.type("g")
            try window.wait(for: "▌  n149", " 1 of 50")
            try window.type("hhhhhhhhh0")
            try window.wait(for: "[town]", "── t1 ", "sort a long label 9 ▲")
        }
    }
}
