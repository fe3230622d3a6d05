import Foundation
import TestSupport
import Testing
import ValetStore

/// Several people in one list, each in a real terminal.
@Suite(.runsPrograms, .needsTmux) struct SharedListTests {
    private let scratch = Scratch()

    /// The rows on the screen, with the cursor's mark: what another's change must not move.
    private func rows(_ lines: [String]) -> [String] {
        Array(lines.dropFirst(3).filter { $0.contains("betas") })
    }

    private func cursorLine(_ lines: [String]) -> Int? {
        lines.firstIndex { $0.contains("▌") }
    }

    @Test func aChangeOfOneIsSeenByTheOtherInTheirPlace() throws {
        // Columns that follow what is shown have one width if all names do.
        let daemon = try Daemon(try scratch.cars(of: ["alpha", "betas", "gamma"]), in: scratch)
        let one = try TerminalWindow(valet: daemon.address, in: scratch)
        let two = try TerminalWindow(valet: daemon.address, in: scratch)
        for window in [one, two] { try window.wait(for: "● live", "alpha 1000", " 1 of 300") }
        let before = try two.press(
            .text(":150"), "Enter", "Down", "Down",
            shows: " 152 of 300", "betas 1154", "betas 1175")
        // One comes above, from a script.
        try scratch.valet(["add", daemon.address, "name=alpha 0", "town=Basel"], expecting: 0)
        let after = try two.wait(for: " 153 of 301", "↑1 new")
        #expect(rows(after) == rows(before) && cursorLine(after) == cursorLine(before))
        // On the first row, a person watches what comes in above it; goes there, and deletes it.
        try one.wait(for: " 2 of 301", "alpha 0 ", "▌  alpha 1000")
        try one.press("g", shows: " 1 of 301")
        try one.press("d", shows: "Delete “alpha 0 Basel”, row 301?")
        try one.press("y", shows: "Deleted “alpha 0 Basel”")
        let again = try two.wait(for: " 152 of 300")
        #expect(rows(again) == rows(before) && cursorLine(again) == cursorLine(before))
        // The cursor's own row changes where it stands, and then goes.
        try scratch.valet(["set", daemon.address, "155", "town=Lugano"], expecting: 0)
        let changed = try two.wait(for: " 152 of 300", "Lugano")
        #expect(changed.firstIndex { $0.contains("Lugano") } == cursorLine(before))
        try scratch.valet(["rm", daemon.address, "155"], expecting: 0)
        // It stays where it is until the next key.
        let struck = try two.wait(for: "▌✗ betas 1154", "Lugano", "This row was deleted")
        #expect(cursorLine(struck) == cursorLine(before))
        let gone = try two.press("Down", shows: " 152 of 299")
        #expect(gone.firstIndex { $0.contains("betas 1157") } == cursorLine(before))
        // A first row of a new section: its title comes to both.
        let section = try scratch.valet(
            ["add", daemon.address, "name=zulu", "town=Bern"], expecting: 0)
        try one.wait(for: "cars  300", " Z")
        try two.wait(for: "cars  300", " Z")
        // It goes with that row.
        let zulu = try #require(section.lines.first?.firstMatch(of: /\d+/)?.0)
        try scratch.valet(["rm", daemon.address, String(zulu)], expecting: 0)
        for window in [one, two] {
            try window.wait(for: "cars  299")
            try eventually("no title") { try !window.lines.contains { $0.hasSuffix(" Z") } }
        }
    }

    /// Both edit one row; who saves last decides, field by field, and loses nothing of the other's.
    @Test func twoWhoEditOneRowKeepWhatEachHasPicked() throws {
        let daemon = try Daemon(
            try scratch.database(
                table: "cars", csv: "name,town,year,fuel\nalpha,Bern,2000,7\n"), in: scratch)
        let one = try TerminalWindow(valet: daemon.address, "--as ana", in: scratch)
        let two = try TerminalWindow(valet: daemon.address, "--as bo", in: scratch)
        for window in [one, two] {
            try window.wait(for: "● live", " 1 of 1")
            try window.press("e", shows: "Edit alpha", "Bern")
        }
        try one.press(.text("gamma"), "Tab", .text("Chur"), shows: "2 changes")
        try two.press(
            .text("beta"), "Tab", .text("Basel"), "Tab", .text("2001"), "C-s", shows: "Saved “")
        try one.wait(for: "saved meanwhile: name, town, year")
        try one.press("C-s")
        try one.wait(
            for: "Someone changed this row", "theirs (bo, ", "gamma             beta",
            "Chur              Basel", "merged already: year")
        try one.press("1", shows: "beta              1 mine")
        try one.press("2", shows: "Basel             2 theirs")
        try one.press("Enter", shows: "Saved “", "gamma")
        let row = try scratch.valet(["get", daemon.address, "1", "--format", "jsonl"])
        #expect(row.text.contains(#"{"name": "gamma", "town": "Basel", "year": 2001, "fuel": 7"#))
        try two.wait(for: "gamma")
    }

    /// Wherever a person looks, a frozen list is as it was, whoever writes meanwhile.
    @Test func aFrozenListIsOfOneMoment() throws {
        let path = try scratch.cars()
        let other = try Connection(path: path, access: .write)
        try other.run("PRAGMA journal_mode=WAL")
        let daemon = try Daemon(path, in: scratch)
        let one = try TerminalWindow(valet: daemon.address, in: scratch)
        try one.wait(for: "● live", "alpha 1000", " 1 of 300")
        try one.press("z", shows: "‖ frozen")
        try other.run(
            "UPDATE cars SET town = 'Chur'; DELETE FROM cars WHERE rowid BETWEEN 151 AND 290")
        try one.wait(for: "‖ frozen +")
        let last = try one.press("End", shows: "gamma 1299", " 300 of 300", "Bern")
        #expect(!last.contains { $0.contains("Chur") })
        let detail = try one.press("Enter", shows: "gamma 1299", "Bern", "name", "town")
        #expect(!detail.contains { $0.contains("Chur") || $0.contains("deleted") })
        let newest = try one.press(.text("qz"), shows: "cars  160", " 160 of 160", "Chur")
        #expect(!newest.contains { $0.contains("Bern") || $0.contains("frozen") })
        // However quickly another query follows the last, one moment is kept at a time.
        try one.press(.text("z21212121212"))
        try one.wait(for: "‖ frozen   ● live", "[None]", "Frozen again, at the newest rows")
    }

    /// The rows above the cursor's go to the other end of the list, and its own does not.
    @Test func theViewStaysWithTheCursorsRow() throws {
        let path = try scratch.cars(of: ["alpha"])
        let daemon = try Daemon(path, in: scratch)
        let one = try TerminalWindow(valet: daemon.address, in: scratch)
        try one.wait(for: "● live", "▌  alpha 1000", " 1 of 300")
        let other = try Connection(path: path, access: .write)
        for _ in 0..<2 {
            try other.run(
                """
                INSERT INTO cars (name, town) WITH RECURSIVE k(i) AS
                (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 39) SELECT 'a' || i, 'Chur' FROM k
                """)
            try one.wait(for: "▌  alpha 1000", " 40 of 339", "↑39 new")
            try other.run("UPDATE cars SET name = 'zed' WHERE town = 'Chur'")
            let moved = try one.wait(for: "▌  alpha 1000", " 1 of 339")
            #expect(!moved.contains { $0.contains(" new") || $0.contains("no longer here") })
            try other.run("DELETE FROM cars WHERE town = 'Chur'")
            try one.wait(for: "▌  alpha 1000", " 1 of 300")
        }
    }

    /// There SQLite keeps nothing of what was before a change.
    @Test func aFrozenListThawsWithTheNextChangeOutsideWALMode() throws {
        let path = try scratch.cars()
        let daemon = try Daemon(path, in: scratch)
        let one = try TerminalWindow(valet: daemon.address, in: scratch)
        try one.wait(for: "● live", "alpha 1000", " 1 of 300")
        try one.press("z", shows: "‖ frozen")
        try Connection(path: path, access: .write).run("UPDATE cars SET town = 'Chur'")
        try one.wait(for: "‖ frozen +1")
        try one.press("Enter")
        let thawed = "No longer frozen: the server has dropped those rows"
        try one.wait(for: "alpha 1000", "Chur", thawed)
    }
}
