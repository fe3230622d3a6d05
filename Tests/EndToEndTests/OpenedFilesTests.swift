import TestSupport
import Testing

/// CSV files that are looked at without a database, and rows that become files.
@Suite(.runsPrograms) struct OpenedFilesTests {
    private let scratch = Scratch()

    @Test func aFileOfRowsIsATarget() throws {
        let file = try scratch.write("name\tn\nb\t2\nä\t1\n", to: "a.tsv")
        for _ in 0..<2 {
            let rows = try scratch.valet(
                ["rows", file, "--sort", "n", "--group", "None", "--format", "plain"])
            #expect(rows.text == "0\t\t0,0\t2\tä\t1\n1\t\t0,1\t1\tb\t2\n" && rows.code == 0)
        }
        try scratch.valet(["set", file, "1", "n=3"], expecting: 7, says: "valet import")
        try scratch.valet(["rows", scratch.path("no.csv")], expecting: 3, says: "no.csv")
        let bad = try scratch.write("a,b\n1\n", to: "bad.csv")
        for _ in 0..<2 {
            try scratch.valet(
                ["rows", bad], expecting: 0,
                says: "bad: line 2 has fewer fields than the header")
        }
        let worse = try scratch.write("a,b\n1,\"2\"x\n", to: "worse.csv")
        try scratch.valet(["rows", worse], expecting: 1, says: "text after a closing quote")
    }

    @Test func anExportIsImportedAgain() throws {
        let csv = "id,name,At\n3,\"b, \"\"c\"\"\",x\n5,ä,\n"
        let database = try scratch.database(table: "t", csv: csv)
        try scratch.valet(["export", database, "--group", "None"], expecting: 0, prints: csv)
        let found = try scratch.valet(["export", database, "--search", "Ä", "--format", "jsonl"])
        #expect(found.text == #"{"id": 5, "name": "ä", "At": null}"# + "\n")
        // The fields beside the columns get names of their own.
        let rows = try scratch.valet(["rows", database, "--group", "None", "--format", "csv"])
        #expect(rows.text.hasPrefix("_at,section,path,_id,id,name,At\n"))
        let file = try scratch.write(rows.text, to: "rows.csv")
        try scratch.valet(["import", file, database, "--table", "again"], expecting: 0)
    }

    @Test(.needsTmux) func filesOpenSideBySide() throws {
        let one = try scratch.write("name\nanchor\n", to: "one.csv")
        let two = try scratch.write("name\nbuoy\n", to: "two.csv")
        let both = try TerminalWindow(valet: one, "'\(two)'", in: scratch)
        try both.wait(for: "one", "two")
        try both.press("Down", "Enter", shows: "buoy", "⊘ read only")
        let piped = try TerminalWindow("cat '\(one)' | '\(Program.valet.path)' -", in: scratch)
        try piped.wait(for: "anchor", " 1 of 1")
        // The keyboard is the terminal's, since standard input is the file.
        try piped.press("Enter", shows: "name  anchor")
    }

    @Test(.needsTmux) func aFileThatChangesIsSaid() throws {
        let file = try scratch.write("name\nanchor\n", to: "one.csv")
        let window = try TerminalWindow(valet: file, in: scratch)
        try window.wait(for: "anchor", "● live")
        _ = try scratch.write("name\nbuoy\nrope\n", to: "one.csv")
        try window.wait(for: "anchor", "changed on disk", "open it again")
    }

    @Test func onlyFilesOfRowsOpenSideBySide() throws {
        let database = try scratch.database(table: "t", csv: "a\n1\n")
        try scratch.valet([database, "more.csv"], expecting: 2, says: "opened together")
        try scratch.valet(["rwos", database], expecting: 2, says: "“rows”")
        try scratch.valet(["frob", database], expecting: 2, says: "“frob” is neither a file nor")
    }
}
