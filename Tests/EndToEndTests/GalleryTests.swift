import TestSupport
import Testing

/// The sample lists, as a person sees them.
@Suite(.runsPrograms) struct GalleryTests {
    struct Glance: CustomTestStringConvertible, Sendable {
        let list: String
        var keys = ""
        let texts: [String]

        init(_ list: String, keys: String = "", _ texts: String...) {
            (self.list, self.keys, self.texts) = (list, keys, texts)
        }

        var testDescription: String { "\(list) \(keys)" }
    }

    @Test(arguments: [
        Glance(
            "cars", " Cars  20,000", "[Parked]", "── 23:00 ──", "▌  🚙 20", "   🚗 ", "parked 2026"),
        Glance("cars", keys: "4", "[Year]", "── 2007 ──"),
        Glance("countries", "▌  Afghanistan", "Kabul  ›  A", "── A ─"),
        Glance("countries", keys: "/,z,a", "of 252", "Zambia"),
        Glance("countries", keys: "/,tab,b,e,r", "2 of 252", "Berlin", "Bern"),
        Glance("names", "Aage", "[Indexed]", "── A ─", "⌕"),
        Glance("names", keys: "3", "[Grouped]", "   A     ", "Aage"),
        Glance("names", keys: "3,],up", "names that begin with A", "   B     "),
        Glance("names", keys: "/,tab,a,a,g", "3 of 4,074", "Aagot", "Waage"),
        Glance("names", keys: "/,tab,tab,a,a,g", "1 of 4,074"),
        Glance("crayons", "██ Almond", "Crayon names starting with 'A'", "#EFDECD"),
        Glance("alphabet", keys: "j", "▌    2  Bravo"),
        Glance("blocks", keys: "m,j,enter", "By hand"),
        Glance("dwarves default", "▌  ☻  Doc", "☺  "),
        Glance("dwarves value2", "Mr Disney  Doc"),
        Glance("dwarves subtitle", keys: "enter", "can't be selected"),
        Glance("computers", "Name: Amiga 500", "Color: Cream"),
        Glance("sections", "── Section: 0 ─", "Row 0"),
    ])
    func eachListShowsWhatItIsFor(glance: Glance) throws {
        try Scratch.with { scratch in
            let keys = glance.keys.isEmpty ? [] : ["--keys", glance.keys]
            let done = try Program.valet.run(
                ["snapshot", "demo:", "--list", glance.list] + keys, in: scratch)
            for text in glance.texts {
                #expect(done.text.contains(text), "\(text) in\n\(done.text)\(done.message)")
            }
        }
    }

    @Test(.enabled(if: TerminalWindow.tmux != nil, "needs tmux: apt-get install tmux"))
    func aCarIsParkedFoundEditedAndUndone() throws {
        try Scratch.with { scratch in
            let screen = try TerminalWindow("'\(Program.valet.path)' demo", in: scratch)
            try screen.wait(for: "Gallery", "Cars", "20,000", "Countries", "Sections")
            try screen.press("Enter")
            try screen.wait(for: "[Parked]", " 1 of 20,000")
            try screen.type("+")
            try screen.wait(for: "Make")
            try screen.type("Zündapp")
            try screen.press("C-s")
            try screen.wait(for: "20,001", "Zündapp")
            try screen.type("/zundapp")
            try screen.wait(for: "0 of 20,001")
            try screen.press("Tab")
            try screen.wait(for: "1 of 20,001", "Zündapp Unknown")
            try screen.press("Enter")
            try screen.type("e")
            try screen.wait(for: "Model")
            try screen.press("Tab")
            try screen.type("Janus")
            try screen.press("C-s")
            try screen.wait(for: "Zündapp Janus")
            try screen.type("u")
            try screen.wait(for: "Zündapp Unknown")
            try screen.type("q")
            try screen.wait(for: "Gallery")
            for _ in 0..<4 { try screen.press("Down") }
            try screen.press("Enter")
            try screen.wait(for: "▌    1  Alpha")
            try screen.type("jx")
            try screen.wait(for: "Checked “Bravo”", "✓")
            try screen.type("Q")
            try screen.wait(for: "code 0")
        }
    }

    @Test func othersJoinTheGallery() throws {
        try Scratch.with { scratch in
            let server = try Daemon(.valet, ["demo", "--listen", "127.0.0.1:0"], in: scratch)
            let lists = try Program.valet.run(["lists", server.address], in: scratch)
            #expect(lists.code == 0 && lists.text.contains("crayons\tCrayons\t120"))
            #expect(try server.end() == 0)
        }
    }
}
