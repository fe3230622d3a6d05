import TestSupport
import Testing

/// CSV files that are looked at without a database, and rows that become files.
@Suite(.runsPrograms) struct OpenedFilesTests {
    @Test func aFileOfRowsIsATarget() throws {
        try Scratch.with { scratch in
            let file = try scratch.write("name\tn\nb\t2\nä\t1\n", to: "a.tsv")
            for _ in 0..<2 {
                let rows = try Program.valet.run(
                    ["rows", file, "--sort", "n", "--group", "None", "--format", "plain"],
                    in: scratch)
                #expect(rows.text == "0\t\t0,0\t2\tä\t1\n1\t\t0,1\t1\tb\t2\n" && rows.code == 0)
            }
            let refused = try Program.valet.run(["set", file, "1", "n=3"], in: scratch)
            #expect(refused.code == 7 && refused.message.contains("valet import"))
            let missing = try Program.valet.run(["rows", scratch.path("no.csv")], in: scratch)
            #expect(missing.code == 3 && missing.message.contains("no.csv"))
            let bad = try scratch.write("a,b\n1\n", to: "bad.csv")
            let broken = try Program.valet.run(["rows", bad], in: scratch)
            #expect(broken.code == 1 && broken.message.contains("line 2: 1 field"))
        }
    }

    @Test func whatIsExportedIsImportedAgain() throws {
        try Scratch.with { scratch in
            let csv = "id,name,At\n3,\"b, \"\"c\"\"\",x\n5,ä,\n"
            let database = try scratch.database(table: "t", csv: csv)
            let exported = try Program.valet.run(
                ["export", database, "--group", "None"], in: scratch)
            #expect(exported.text == csv && exported.code == 0)
            let found = try Program.valet.run(
                ["export", database, "--search", "Ä", "--format", "jsonl"], in: scratch)
            #expect(found.text == #"{"id": 5, "name": "ä", "At": null}"# + "\n")
            // The fields beside the columns get names of their own.
            let rows = try Program.valet.run(
                ["rows", database, "--group", "None", "--format", "csv"], in: scratch)
            #expect(rows.text.hasPrefix("_at,section,path,_id,id,name,At\n"))
            let file = try scratch.write(rows.text, to: "rows.csv")
            let imported = try Program.valet.run(
                ["import", file, database, "--table", "again"], in: scratch)
            #expect(imported.code == 0)
        }
    }

    @Test(.enabled(if: TerminalWindow.tmux != nil, "needs tmux: apt-get install tmux"))
    func filesOpenSideBySide() throws {
        try Scratch.with { scratch in
            let one = try scratch.write("name\nanchor\n", to: "one.csv")
            let two = try scratch.write("name\nbuoy\n", to: "two.csv")
            let both = try TerminalWindow("'\(Program.valet.path)' '\(one)' '\(two)'", in: scratch)
            try both.wait(for: "one", "two")
            try both.press("Down", "Enter")
            try both.wait(for: "buoy", "⊘ read only")
            let piped = try TerminalWindow(
                "cat '\(one)' | '\(Program.valet.path)' -", in: scratch)
            try piped.wait(for: "anchor", " 1 of 1")
            // The keyboard is the terminal's, since standard input is the file.
            try piped.press("Enter")
            try piped.wait(for: "name  anchor")
        }
    }

    @Test func onlyFilesOfRowsOpenSideBySide() throws {
        try Scratch.with { scratch in
            let database = try scratch.database(table: "t", csv: "a\n1\n")
            let done = try Program.valet.run([database, "more.csv"], in: scratch)
            #expect(done.code == 2 && done.message.contains("opened together"))
            let slip = try Program.valet.run(["rwos", database], in: scratch)
            #expect(slip.code == 2 && slip.message.contains("“rows”"))
        }
    }
}
