import Foundation
import TestSupport
import Testing

/// The sample lists, as a person sees them.
@Suite(.runsPrograms) struct GalleryTests {
    private let scratch = Scratch()

    struct Glance: CustomTestStringConvertible, Sendable {
        let list: String
        var keys = ""
        let texts: [String]
        let others: [String]

        /// - Parameter others: texts that the screen must not have.
        init(_ list: String, keys: String = "", _ texts: String..., without others: [String] = []) {
            (self.list, self.keys, self.texts, self.others) = (list, keys, texts, others)
        }

        var testDescription: String { "\(list) \(keys)" }
    }

    private static let thisYear = Calendar(identifier: .gregorian).component(.year, from: .now)

    @Test(arguments: [
        Glance(
            "cars", " Cars  20,000", "[Parked]", "── 23:00 ──", "▌  🚙 20", "   🚗 ", "parked 2026"),
        Glance("cars", keys: "4", "[Year]", "── 2007 ──"),
        Glance("cars", keys: "4,:,9,9,%,enter", "── 1948 ─", "── 1947 ─", "── 1946 ─"),
        // A car that was found is opened and left again.
        Glance(
            "cars", keys: "2,/,toyota,enter,j,j,enter,q", " 1,490 of 20,000", "/  toyota ✕",
            "▌  🚙 2026 Toyota Auris", " 3 of 1,490"),
        Glance(
            "cars", keys: "/,bmw,enter,j,e,tab,i8,^S", "/  bmw ✕", "▌  🚙 2016 BMW i8",
            " 1,285 ", "Saved “2016 BMW i8”"),
        Glance(
            "cars", keys: "/,bmw,enter,j,e,z,^S", "/  bmw ✕", "▌  🚙 2013 BMW 320i", " 1,284 ",
            "Saved “2016 z 520d”, which doesn't match “bmw” now"),
        Glance("cars", keys: "/,zzz", "No cars match “zzz” in Any"),
        Glance("blocks", keys: "*,d,y", "No blocks.  + add one"),
        Glance("countries", "▌  Afghanistan", "Kabul  ›  A", "── A ─"),
        Glance(
            "countries", keys: "enter", "▌  Country     Afghanistan", "Kabul",
            "Population  37,172,386", "Continent   Asia"),
        Glance(
            "countries", keys: "/,tab,z,a", "1 of 252", "▌  Zambia ", "Lusaka  ›\n",
            without: ["── Z", "⌕", "Brazzaville"]),
        Glance("countries", keys: "/,tab,oma", "1 of 252", "Oman", without: ["Romania"]),
        Glance("countries", keys: "/,tab,tab,b,e,r", "2 of 252", "Berlin", "Bern"),
        Glance("names", "Aage", "[Indexed]", "── A ─", "⌕"),
        Glance("names", keys: "2,]", "[Plain]", " 243 ──\n▌  Baard\n   Bailey\n", without: ["⌕"]),
        Glance("names", keys: "/,tab,aag", "4 of 4,074", "Aage", "Waage", "Haagensen", "in [All]"),
        Glance("names", keys: "3", "[Grouped]", "   A     ", "Aage"),
        Glance("names", keys: "3,],up", "names that begin with A", "   B     "),
        Glance(
            "names", keys: "/,tab,tab,a,a,g", "3 of 4,074", "Aagot", "Waage",
            without: ["── A", "⌕"]),
        Glance("names", keys: "/,tab,tab,tab,a,a,g", "1 of 4,074", "▌  Haagensen"),
        Glance("crayons", "██ Almond", "Crayon names starting with 'A'", "#EFDECD"),
        Glance("alphabet", keys: "j", "▌    2  Bravo"),
        Glance("alphabet", keys: "j,space", " Selected: Bravo", "1 selected"),
        Glance("alphabet", keys: "j,space,X", " Alphabet"),
        Glance("alphabet", keys: ".,enter", " Alpha  26"),
        Glance("alphabet", keys: ".,down,enter", "Alpha, number 1"),
        Glance("alphabet", keys: "2,',m,enter", "search\n── M ─", "1 ── ⌕\n▌   13  Mike "),
        Glance("alphabet", keys: "2,',q,enter", "── Q ──", "▌   17  Quebec"),
        Glance("alphabet", keys: "j,right", " Bravo  Alphabet", "number   2"),
        Glance("alphabet", keys: "j,x,j,x,3", "── Yes ─", " 2 ──"),
        Glance("one letter", keys: "j,x,j,x", "  Bravo\n▌    3  Charlie"),
        Glance("crayons", keys: "j,space", " Antique Brass"),
        Glance("blocks", keys: "m,j,enter", "By hand"),
        Glance("dwarves default", "▌  ☻  Doc", "☺  "),
        Glance("dwarves value2", "Mr Disney  Doc"),
        Glance("dwarves value1", keys: "j,space", "Bashful by Mr Disney"),
        Glance("dwarves value1", keys: "space", "can't be selected"),
        Glance("dwarves subtitle", keys: "enter", "can't be selected"),
        Glance("computers", "Name: Amiga 500", "  ⓘ  A\n", "Color: Cream"),
        Glance(
            "dwarves subtitle", keys: "j,j",
            "7 ── ⌕\n   ☺  Doc  Mr Disney", " M\n\n\n   ☺  Bashful  Mr Disney\n▌    ☻  Grumpy",
            "\n     ☺  Sneezy  Mr Disney\n       ☺  Happy", "── Mr Tolkien ─", "Balin  Mr Tolkien"),
        Glance("albums", "Albums  240", "Ada & the Valets", "of 5", "240 added"),
        Glance("albums", keys: "3", "── 3 ─", "[Rating]"),
        Glance("computers", keys: "j,enter", "Apple II", "Beige", "1977"),
        Glance("sections", "── Section: 0 ─", "Row 0"),
        Glance("cars", keys: "2", "[Make]", " Toyota ", "  A", "⌕"),
        Glance("cars", keys: "3", "[Model]", "── RAV4 ─"),
        Glance("cars", keys: "5", "[Owner]", "── Kowalski ─"),
        Glance("countries", keys: "2", "[Continent]", "── Asia ─"),
        Glance("countries", keys: "3,g", "▌  China", "   India"),
        Glance(
            "countries", keys: "/,tab,l,a,n,d", "No countries match",
            "in Country  ·  28 in Any: Tab"),
        Glance("crayons", keys: "/,j,a,z", "1 of 120", "Jazzberry Jam"),
        Glance(
            "crayons", keys: "/,ant", "2 of 120", "with 'A'", "▌  ██ Antique Brass", "with 'E'",
            "██ Eggplant", without: ["with 'B'"]),
        Glance("dwarves default", keys: "2,G", "Bombur"),
        Glance("dwarves value1", keys: "],]", "Mr Tolkien"),
        Glance("blocks", keys: "j,m,j,enter", "   ▣  Block 3", "▌  ▣  Block 2"),
        Glance(
            "cars", keys: "+", "Make ", "Unknown (default)", "Year       ▾  (default)",
            "Colour     ▾", " Owner"),
        Glance("cars", keys: "+,tab,tab,enter", "  \(thisYear + 1)", "▌    \(thisYear)"),
        Glance("cars", keys: "j,e,^S", "Nothing was changed"),
        Glance("cars", keys: "j,e,x,esc,y", " 2 of 20,000"),
        Glance("cars", keys: "+,^S", "Nothing is typed. Add an empty row?"),
        Glance("settings", " General   ", "Announce new cars", "yes", " Sound   ", "7  ›"),
        Glance("settings", keys: "enter", "Serial number", "Value  1908-2027"),
        Glance("settings", keys: "e", "This row is read-only"),
        Glance("settings", keys: "+", "Rows can't be added to Settings"),
        Glance("settings", keys: "d", "Rows of Settings can't be deleted"),
        Glance("settings", keys: "j,j,e,space", "Announce new cars", "• Value  no"),
        Glance("settings", keys: "j,j,j,e,enter", "Day begins", "Hour", "Minute", "06"),
        Glance("settings", keys: "j,e,end,space,x", "• Value  front desk x"),
        Glance("settings", keys: "j,j,j,j,e,enter", "light", "dark", "automatic"),
        Glance("settings", keys: "end,e,enter", "Volume", "▌ •  7", "11"),
        Glance("wheels", "▌  cherry lemon bell", "Left machine  ›", "star star plum"),
        Glance("tracks", "▌  A night in a small hotel", "Late Letters  ", " s  ✓  A", "[A–Z]"),
        Glance("tracks", keys: "2", "[Record]", " s   9 ──"),
        Glance("tasks", "▌  Paint the arrows on level 2", "Garage  4 Dec 2026", "[By hand]"),
        Glance("tasks", keys: "2", "── 2026-11 ─", "Wash the courtesy car"),
        Glance("records", "── Ada & the Valets ─", "Ada & the Valets, 19"),
        Glance("dwarves value1", "Space turns ☺ into ☻"),
        Glance("wheels", keys: "enter", " Wheels", "One ", " Times", "Countdown      1:30"),
        Glance("wheels", keys: "e,enter", "cherry", "lemon", "bell", "Enter pick", "┌ One ─"),
        Glance(
            "wheels", keys: "e,enter,up,right,down,right,down,enter", "• One           ▾  star",
            "• Two           ▾  plum", "• Three         ▾  star"),
        Glance(
            "wheels", keys: "e,down,down,down,enter,end,right,end,right,end,down,enter",
            "• Date          ▾  2029-12-01"),
        Glance(
            "wheels", keys: "e,down,down,down,down,enter,end,right,down,enter",
            "• Time          ▾  20:00"),
        Glance(
            "wheels", keys: "e,down,down,down,down,down,enter,right,right,right,right,down,enter",
            "• Date and time ▾  2026-11-22 18:10"),
        Glance(
            "wheels", keys: "e,down,down,down,down,down,down,enter,home,down,right,2,9,enter",
            "• Countdown     ▾  1:29"),
    ])
    func eachListShowsWhatItIsFor(glance: Glance) throws {
        let scratch = Scratch()
        let keys = glance.keys.isEmpty ? [] : ["--keys", glance.keys]
        let done = try scratch.valet(["snapshot", "demo:", "--list", glance.list] + keys)
        for text in glance.texts {
            #expect(done.text.contains(text), "\(text) in\n\(done.text)\(done.message)")
        }
        for text in glance.others {
            #expect(!done.text.contains(text), "\(text) in\n\(done.text)")
        }
    }

    @Test(.needsTmux) func aCarIsParkedFoundEditedAndUndone() throws {
        let screen = try TerminalWindow("'\(Program.valet.path)' demo", in: scratch)
        try screen.wait(for: "Gallery", "Cars", "20,000", "Countries", "Music", "Tasks")
        try screen.press("Enter", shows: "[Parked]", " 1 of 20,000")
        try screen.press("+", shows: "Make")
        try screen.press(
            .text("Zündapp"), "Tab", "Tab", "Tab", .text("red"), "Tab", "Tab", .text("12"), "C-s",
            shows: "20,001", "Zündapp")
        try screen.press(.text("/zundapp unk"), shows: "1 of 20,001", "Zündapp Unknown")
        try screen.press("Tab", shows: "0 of 20,001", "in Parked  ·  1 in Any: Tab")
        try screen.press("Tab", shows: "1 of 20,001", "Zündapp Unknown")
        try screen.press("Enter", "e", shows: "Model")
        try screen.press("Tab", .text("Janus"), "C-s", shows: "Zündapp Janus")
        try screen.press("u", shows: "Zündapp Unknown")
        try screen.press("q", shows: "Gallery")
        try screen.press(.text("/alph"), "Enter", shows: "▌    1  Alpha")
        try screen.press(.text("jx"), shows: "Checked “Bravo”", "✓")
        try screen.press("Q", shows: "code 0")
    }

    @Test(.needsTmux) func wheelsAreTurnedAndSettingsAreSet() throws {
        let screen = try TerminalWindow("'\(Program.valet.path)' demo", in: scratch)
        try screen.wait(for: "Gallery", "Behind the music", "Cells and tables")
        try screen.press("End", "Enter", shows: "▌  cherry lemon bell", "Left machine")
        try screen.press("e", shows: "Edit cherry lemon bell", "Countdown")
        try screen.press("Enter", "Up", "Right", "Down", "Right", "Down", "Enter", "C-s")
        try screen.wait(for: "▌  star plum star")
        try screen.press("u", shows: "▌  cherry lemon bell")
        try screen.press("q", shows: "Gallery")
        try screen.press("Up", "Enter", shows: "Announce new cars", "General")
        try screen.press("Down", "Down", "e", shows: "Edit Announce new cars")
        try screen.press("Space", "C-s", shows: "Saved “Announce new cars”")
        try screen.press("End", "e", shows: "Edit Volume")
        try screen.press("Enter", .text("11"), "Enter", "C-s", shows: "Saved “Volume”", "11")
        try screen.press("Q", shows: "code 0")
    }

    /// The next edition of the feed comes after a few seconds; until then nothing is new.
    @Test(.needsTmux) func albumsAreLoadedAndLoadedAgainInPlace() throws {
        let command = "'\(Program.valet.path)' demo: --list albums"
        let screen = try TerminalWindow(command, in: scratch)
        try screen.wait(for: "Albums  240", "Albums: 240 added")
        try screen.press(.text("jjj"), shows: "4 of 240")
        let row = try screen.lines.first { $0.hasPrefix("▌") }
        let title = try #require(row).prefix(20)
        try eventually("a new edition", seconds: 60) {
            try screen.press("r")
            // Within a second it is refused.
            let answers = ["Albums: ", "it was loaded just now"]
            try eventually("an answer") {
                try screen.lines.contains { line in answers.contains { line.contains($0) } }
            }
            return try screen.lines.contains { $0.contains("1 added") }
        }
        try screen.wait(for: "1 added", "changed, 1 removed", String(title), "Albums  240")
        try screen.press("Q", shows: "code 0")
    }

    @Test func thereAreAsManySectionsAsAreAskedFor() throws {
        let done = try scratch.valet(
            ["snapshot", "demo:100000x2", "--list", "sections", "--keys", "G"])
        #expect(done.text.contains("── Section: 99999 ─"), "\(done.text)")
        #expect(done.text.contains("200,000 of 200,000"))
    }

    @Test func aSnapshotWaitsForTheSidePane() throws {
        let done = try scratch.valet(
            ["snapshot", "demo:", "--list", "cars", "--keys", "2,w,j", "--size", "130x30"])
        #expect(done.text.contains("Colour ") && !done.text.contains("░"), "\(done.text)")
    }
}
