import Foundation
import TestSupport
import Testing

/// What is done in the rows of a list, in real terminals.
@Suite(.runsPrograms, .needsTmux) struct ListKeysTests {
    private let scratch = Scratch()

    private func open(csv: String, columns: Int = 80) throws -> TerminalWindow {
        let path = try scratch.database(table: "wide", csv: csv)
        return try TerminalWindow(valet: path, columns: columns, in: scratch)
    }

    private func openSizes() throws -> TerminalWindow {
        let rows = (0..<60).map { "n\(100 + $0),t\($0 % 3),\(900 - $0)\n" }
        return try open(csv: "name,town,size\n\(rows.joined())")
    }

    @Test func theCellCursorSortsGroupsAndScrolls() throws {
        let columns = (1...9).map { "a long label \($0)" }.joined(separator: ",")
        let rows = (0..<50).map { "n\(100 + $0),t\($0 % 3),1,2,3,4,5,6,7,8,\(99 - $0)\n" }
        let window = try open(csv: "name,town,\(columns)\n\(rows.joined())")
        try window.wait(for: "● live", "a long label 1", "▌  n100", " ›")
        for _ in 0..<9 { try window.press("Right") }
        try window.press("l", shows: "a long label 9")
        try window.press("s", shows: "a long label 9 ▲")
        try window.press("g", shows: "▌  n149", " 1 of 50")
        try window.press(.text("hhhhhhhhh0"), shows: "[town]", "── t1 ", "sort a long label 9 ▲")
    }

    @Test func selectedRowsAreDeletedTogetherAndComeBackTogether() throws {
        let rows = (0..<3_000).map { "n\(1_000 + $0),t\($0 % 3)\n" }
        let window = try open(csv: "name,town\n\(rows.joined())")
        try window.wait(for: "● live", "▌  n1000", " 1 of 3,000")
        try window.press("Space", "Space")
        try window.wait(for: "  ◆n1000", "  ◆n1001", " 3 of 3,000", "2 selected")
        try window.press(.text("/t1"), "Enter", shows: "1,000 of 3,000", "▌ ◆n1001")
        try window.press("*", shows: "1,000 rows selected")
        try window.press("d", shows: "Delete 1,001 rows, ", "of them not on the screen?")
        try window.press("y", shows: "Deleted 1,001 rows", "match “")
        try window.press("Escape", shows: " 1,999", "n1002")
        try window.press("u", shows: " 3,000", "Undone: deletion of 1,001 rows")
    }

    @Test func aQueryIsSavedForAnotherTime() throws {
        let window = try openSizes()
        try window.wait(for: "● live", "▌  n100")
        try window.press(.text("ftown = t1"), "Enter", shows: "20 of 60")
        try window.press(.text(":save t one"), "Enter", shows: "Saved as “t one”")
        let second = try TerminalWindow(valet: scratch.path("test.sqlite"), in: scratch)
        try second.wait(for: "● live", " 1 of 60")
        try second.press(.text(":open "), shows: " t one ")
        try second.press("Tab", "Enter", shows: "town = t1 ✕", "20 of 60")
    }

    @Test func markedRowsStandSideBySide() throws {
        let window = try openSizes()
        try window.wait(for: "● live", "▌  n100")
        try window.press(.text("MjjjMD"))
        try window.wait(for: "2 of wide side by side", " ≠ size", "900 ", "897", "   town", "t0 ")
        let lines = try window.press("d", shows: "d all fields")
        #expect(!lines.contains { $0.contains("   town") })
        try window.press("Escape", shows: "  ◇n100", "▌ ◇n103", "2 to compare")
    }

    /// tmux passes the bytes of a mouse on, as its terminal sends them.
    @Test func theMouseSortsChoosesAndOpensTheDrawer() throws {
        let window = try openSizes()
        func click(_ text: String, button: Int = 0) throws {
            let lines = try window.wait(for: text)
            let row = try #require(lines.firstIndex { $0.contains(text) }, "\(text)")
            let before = lines[row].prefix(
                upTo: try #require(lines[row].range(of: text)).lowerBound)
            let place = "\(button);\(before.count + 1);\(row + 1)"
            try window.press(.text("\u{1B}[<\(place)M\u{1B}[<\(place)m"))
        }
        try window.wait(for: "● live", "▌  n100", "size")
        try click("size")
        try window.wait(for: "size ▲")
        try click("size")
        try window.wait(for: "size ▼")
        try click("2 town")
        try window.wait(for: "[town]", "── t0 ")
        try click("n106", button: 2)
        try window.wait(for: "▌  n106", "edit", "delete")
        try click("edit")
        try window.wait(for: "Edit n106")
    }
}
