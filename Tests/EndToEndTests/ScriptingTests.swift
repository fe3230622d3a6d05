import Foundation
import TestSupport
import Testing

private let hostile = "\u{1B}]52;c;AAAA\u{7}\u{1B}[31mred\u{1B}[2J\u{9B}5mx\u{9D}0;t\u{9C}\ttab\rcr"

@Suite(.runsPrograms) struct ScriptingTests {
    private let scratch = Scratch()

    @Test func nothingInTheDataSteersTheTerminal() throws {
        let csv =
            "\"na\u{1B}[1mme\",\(hostile.replacing("\r", with: ""))\n"
            + "\"\(hostile)\",\"\(hostile)\"\n"
        let database = try scratch.database(table: "ev\u{1B}[2Jil", csv: csv)
        let column = "na\u{1B}[1mme"
        let commands = [
            ["lists"], ["schema"], ["schema", "--yaml"], ["sections"],
            ["sections", "--group", column], ["index"], ["facets", column], ["facets", "no"],
            ["aggregate", column], ["aggregate", column, "--sections", "--group", column],
            ["rows"], ["rows", "--group", column], ["get", "1"], ["rows", "--group", "no"],
            ["rows", "--section", "no", "--group", column], ["rows", "--list", "no"],
            ["rows", "--search", "x", "--scope", "no"], ["rows", "--where", hostile],
            ["rows", "--where", "\"\(column)\" = \(hostile)"], ["set", "1", "no=x"],
            ["history"],
            ["set", "1", column + "=\(hostile)"], ["undo"], ["snapshot"],
            ["snapshot", "--keys", "enter"], ["snapshot", "--svg"],
        ]
        for command in commands {
            let hasFormats = command[0] != "snapshot" && !command.contains("--yaml")
            let formats = !hasFormats ? [[]] : [["table"], ["plain"], ["json"]]
            for format in formats {
                let done = try scratch.valet(
                    [command[0], database] + command.dropFirst()
                        + (format.isEmpty ? [] : ["--format"] + format))
                for text in [done.text, done.message] {
                    #expect(steering(in: text) == [], "\(command) \(format)")
                }
            }
        }
    }

    @Test func nothingInAnArgumentSteersTheTerminal() throws {
        let csv = try scratch.write("a\nx\n", to: "a.csv")
        let imported = try scratch.valet(["import", csv, scratch.path("a.db"), "--table", hostile])
        #expect(imported.code == 0 && imported.message.hasPrefix("imported 1 row into"))
        #expect(steering(in: imported.message) == [])
        let cases: [(Program, [String])] = [
            (.valet, ["lists", "a", "--format", hostile]), (.valet, ["lists", hostile]),
            (.valet, ["rows", "http://\(hostile)"]), (.valet, [hostile, hostile]),
            (.valetd, ["serve", hostile]), (.valetd, ["serve", "a", "--log", hostile]),
            (.valetd, ["serve", "a", "--listen", hostile]), (.load, [hostile]),
            (.load, ["run", hostile, "a"]), (.load, ["run", "jump", hostile]),
            (.load, ["run", "jump", "a", "--format", hostile]),
            (.load, ["bench", "--file", hostile]), (.load, ["bench", "--only", hostile]),
            (.load, ["generate", "--rows", "1", "no/\(hostile)"]),
        ]
        for (program, arguments) in cases {
            let done = try program.run(arguments, in: scratch)
            #expect(done.code != 0)
            #expect(done.message != "")
            #expect(steering(in: done.text + done.message) == [], "\(program) \(arguments)")
        }
    }

    @Test func theSecondOfTwoSectionsWithOneTitleIsReached() throws {
        // Their titles are cut where they are still alike.
        let title = String(repeating: "x", count: 300)
        let database = try scratch.database(table: "t", csv: "n\n\(title)1\n\(title)2\n")
        func rows(_ options: [String]) throws -> Finished {
            try scratch.valet(["rows", database, "--group", "n", "--format", "plain"] + options)
        }
        let first = try rows(["--section", String(title.prefix(256))])
        #expect(first.text.hasSuffix("x1\n") && first.lines.count == 1)
        let second = try rows(["--section-ordinal", "1"])
        #expect(second.text.hasSuffix("x2\n") && second.lines.count == 1)
        let missing = try rows(["--section-ordinal", "2"])
        #expect(missing.code == 3)
        #expect(missing.message == "valet: there is no section 2: there are 2\n")
    }

    @Test func anEmptySearchIsNoSearch() throws {
        let database = try scratch.database(table: "t", csv: "name\na\nb\n")
        try scratch.valet(["count", database, "--search=", "--scope=Any"], prints: "2\n")
    }

    /// Control characters but for the ends of lines and fields.
    private func steering(in text: String) -> [UInt32] {
        text.unicodeScalars.map(\.value).filter { value in
            value < 0x20 && value != 0x0A && value != 0x09 || (0x7F..<0xA0).contains(value)
        }
    }

    @Test func everyFormatHasItsForm() throws {
        let database = try scratch.database(
            table: "t", csv: "name,n\n\"a\tb\",1\n漢字,9007199254740993\n")
        let expected = [
            ("plain", "0\tA\t0,0\t1\ta␉b\t1\n1\t漢\t1,0\t2\t漢字\t9007199254740993\n"),
            (
                "csv",
                "at,section,path,id,name,n\n0,A,\"0,0\",1,a\tb,1\n"
                    + "1,漢,\"1,0\",2,漢字,9007199254740993\n"
            ),
            (
                "jsonl",
                #"{"at": 0, "section": "A", "path": [0, 0], "id": 1, "#
                    + #""cells": {"name": "a\tb", "n": 1}}"# + "\n"
                    + #"{"at": 1, "section": "漢", "path": [1, 0], "id": 2, "#
                    + #""cells": {"name": "漢字", "n": 9007199254740993}}"# + "\n"
            ),
            (
                "table",
                """
                at  section  path  id  name                 n
                ──  ───────  ────  ──  ────  ────────────────
                 0  A        0,0    1  a␉b                  1
                 1  漢       1,0    2  漢字  9007199254740993

                """
            ),
        ]
        for (format, text) in expected {
            try scratch.valet(["rows", database, "--format", format], prints: text)
        }
    }

    @Test(.needsTmux) func onATerminalRowsAreATableAndLongWorkShowsItsProgress() throws {
        let rows = (0..<120_000).map { "n\($0),Bern \($0 % 7)\n" }.joined()
        try scratch.write("name,town\n" + rows, to: "in")
        let valet = "'\(Program.valet.path)'"
        // An export is long work for whoever takes it slowly.
        let slowly = "until grep -q exported bytes; do dd bs=4k count=1; sleep .02; done; cat"
        let window = try TerminalWindow(
            """
            cd '\(scratch.folder.path)'; until [ -e bytes ]; do sleep 0.02; done
            \(valet) import in db --table t
            \(valet) export db --search '\"Bern 3\"' | { \(slowly); } 2>&- > out
            \(valet) rows db --count 1
            \(valet) rows db --count 1 | cat
            """, in: scratch)
        try window.record(to: scratch.path("bytes"))
        let lines = try window.wait(for: "code 0")
        // Progress has gone from the screen.
        #expect(
            lines.filter { !$0.isEmpty } == [
                "before", "imported 120000 rows into “t” of db",
                "at  section  path  id  name  town", "──  ───────  ────  ──  ────  ──────",
                " 0  N        0,0    1  n0    Bern 0",
                "0       N       0,0     1       n0      Bern 0", "code 0",
            ])
        let text = String(decoding: try #require(scratch.bytes(of: "bytes")), as: UTF8.self)
        #expect(text.contains(/\r\x1B\[Kimported \d+ rows \(\d+ %\)/))
        #expect(text.contains(/\r\x1B\[Kexported [\d,]+ of 17,143 rows/))
        let exported = scratch.bytes(of: "out")?.count { $0 == UInt8(ascii: "\n") }
        #expect(exported == 17_144)
    }

    /// From a file, and from a server.
    @Test func aCatalogIsPrintedAndTakenBack() throws {
        let database = try scratch.blocks()
        let catalog = try scratch.blockCatalog()
        func schema(_ target: String, _ options: [String] = []) throws -> Finished {
            try scratch.valet(["schema", target, "--yaml"] + options)
        }
        let first = try schema(database, ["--catalog", catalog])
        #expect(first.code == 0 && first.text.contains("order: manual"))
        let printed = try scratch.write(first.text, to: "printed.yaml")
        #expect(try schema(database, ["--catalog", printed]).text == first.text)
        let daemon = try Daemon(database, catalog: printed, in: scratch)
        #expect(try schema(daemon.address, ["--list", "blocks"]).text == first.text)
        let both = try schema(database, ["--format", "json"])
        #expect(both.code == 2 && both.message.contains("not both"))
    }

    @Test(arguments: ["chinook.sqlite"])
    func theCatalogOfASampleIsTakenBack(name: String) throws {
        guard let path = SampleData.path(name) else { return }
        let copy = scratch.path("copy.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let first = try scratch.valet(["schema", copy, "--yaml"])
        let printed = try scratch.write(first.text, to: "printed.yaml")
        let again = try scratch.valet(["schema", copy, "--yaml", "--catalog", printed])
        #expect(first.code == 0 && first.text.contains("  - name: "))
        #expect(again.text == first.text)
    }

    @Test func aListWithoutSectionsHasNoSectionTitle() throws {
        let database = try scratch.database(table: "t", csv: "name\na\n")
        let expected = [
            (
                "rows",
                #"{"at": 0, "section": null, "path": [0, 0], "id": 1, "cells": {"name": "a"}}"#
            ),
            ("sections", #"{"section": 0, "title": null, "count": 1, "first": 0, "index": null}"#),
        ]
        for (command, line) in expected {
            let done = try scratch.valet(
                [command, database, "--group", "none", "--format", "jsonl"])
            #expect(done.text == line + "\n")
        }
    }

    @Test func aggregatesAreOfTheQueryOrOfItsSections() throws {
        let database = try scratch.database(
            table: "t",
            csv: "make,n\nBMW,9223372036854775807\nbmw,9223372036854775807\nKia,-3\nKia,\n")
        func run(_ arguments: [String]) throws -> Finished {
            try scratch.valet(["aggregate", database] + arguments)
        }
        let all = try run(["n", "make", "--format", "jsonl"])
        #expect(
            all.lines == [
                #"{"column": "n", "rows": 4, "count": 3, "sum": 18446744073709551611, "#
                    + #""mean": 6.148914691236517e+18, "least": -3, "#
                    + #""greatest": 9223372036854775807, "distinct": 2}"#,
                #"{"column": "make", "rows": 4, "count": 4, "sum": null, "mean": null, "#
                    + #""least": "BMW", "greatest": "Kia", "distinct": 2}"#,
            ])
        let sections = try run([
            "n", "--sum", "--count", "--group", "make", "--sections", "--format", "csv",
        ])
        #expect(
            sections.text == """
                section,title,column,rows,count,sum
                0,BMW,n,2,2,18446744073709551614
                1,Kia,n,2,1,-3

                """)
        #expect(
            try run(["n", "--sum", "--search", "kia", "--format", "plain"]).text == "n\t2\t-3\n"
        )
        #expect(try run(["price"]).code == 3)
        #expect(try run([]).code == 2)
    }

    @Test(arguments: [
        ("rows", "at,section,path,id,name\n"), ("sections", "section,title,count,first,index\n"),
        ("index", "index,section,first\n"), ("facets name", "value,count,share\n"),
    ])
    func aCSVWithoutRowsHasItsHeader(command: String, header: String) throws {
        let database = try scratch.database(table: "t", csv: "name\na\n")
        let words = command.split(separator: " ").map(String.init)
        let done = try scratch.valet(
            [words[0], database] + words.dropFirst() + ["--search", "zz", "--format", "csv"])
        #expect(done.text == header)
    }

    @Test func windowsAreCutAtTheEndsAndEmptyIsAnAnswer() throws {
        let database = try scratch.database(table: "t", csv: "name\na1\na2\nb1\nb2\nb3\n")
        let asked: [([String], String)] = [
            (["--at", "3"], "3 4"), (["--at", "4", "--count", "9"], "4"), (["--at", "5"], ""),
            (["--at", "99999999999"], ""), (["--count", "0"], ""),
            (["--section", "b"], "2 3 4"),
            (["--section", "B", "--at", "1", "--count", "1"], "3"),
            (["--section", "A", "--at", "1", "--count", "5"], "1"),
            (["--section", "A", "--at", "2"], ""), (["--search", "2"], "0 1"),
            (["--search", "zz"], ""),
        ]
        for (options, places) in asked {
            let done = try scratch.valet(["rows", database] + options, expecting: 0)
            let found = done.lines.map { $0.split(separator: "\t")[0] }.joined(separator: " ")
            #expect(found == places, "\(options)")
        }
    }

    @Test(
        arguments: [
            (["rows", "--list", "no"], 3, "unknown-list"),
            (["rows", "--group", "no"], 3, "unknown-grouping"),
            (["rows", "--search", "a", "--scope", "no"], 3, "unknown-scope"),
            (["rows", "--section", "no"], 3, "unknown-section"), (["get", "99"], 3, "unknown-row"),
            (["rows", "--sort", "no"], 3, "unknown-column"), (["rows", "--at", "-1"], 2, "usage"),
        ] as [([String], Int32, String)])
    func errorsAreWordsOrJSON(arguments: [String], code: Int32, name: String) throws {
        let database = try scratch.database(table: "t", csv: "name\na\n")
        let command = [arguments[0], database] + arguments.dropFirst()
        let plain = try scratch.valet(command)
        #expect(plain.code == code)
        #expect(plain.text == "")
        #expect(!plain.message.hasPrefix("{"))
        let json = try scratch.valet(command + ["--format", "json"])
        #expect(json.code == code)
        #expect(json.text == "")
        #expect(json.message.hasPrefix(#"{"error": {"code": "\#(name)", "message": ""#))
    }

    @Test func severalListsAndNoneNamedIsAUsageErrorWithTheNames() throws {
        let database = try scratch.database(table: "one", csv: "a\nx\n")
        try scratch.database(table: "two", csv: "a\nx\n")
        let done = try scratch.valet(["rows", database], expecting: 2)
        #expect(
            done.message
                == "valet: there are several lists; name one with --list. There are: one, two\n"
        )
    }

    @Test func theFullScreenNeedsATerminal() throws {
        let database = try scratch.database(table: "t", csv: "a\nx\n")
        try scratch.valet([database], expecting: 2, says: "the full screen needs a terminal")
    }

    @Test func aStationKeepsItsIdentity() throws {
        let database = try scratch.database(table: "t", csv: "a\nx\n")
        try scratch.valet(["count", database])
        let identity = scratch.bytes(of: "state/valet/station")
        #expect(identity?.count == 33)
        try scratch.valet(["count", database])
        #expect(scratch.bytes(of: "state/valet/station") == identity)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func theServerStopsCleanly(signal: Int32) throws {
        let daemon = try Daemon(try scratch.database(table: "t", csv: "a\nx\n"), in: scratch)
        try scratch.valet(["count", daemon.address], prints: "1\n")
        #expect(try daemon.end(signal) == 0)
        let log = daemon.logText
        #expect(log.contains(" info listening address=\(daemon.address)\n"))
        #expect(log.hasSuffix(" info stopped\n"))
    }

    @Test func theServerSaysHowItIs() throws {
        let daemon = try Daemon(try scratch.database(table: "t", csv: "a\nx\ny\n"), in: scratch)
        func stats(_ format: String) throws -> String {
            try scratch.valet(["stats", daemon.address, "--format", format])
                .text
        }
        let first = try stats("plain")
        #expect(first.contains("connections\t1\n") && first.contains("rowsReadIn\t0\n"))
        try scratch.valet(["rows", daemon.address])
        let line = try #require(try stats("jsonl").data(using: .utf8))
        let object = try JSONSerialization.jsonObject(with: line) as? [String: Int]
        #expect(object?["rowsReadIn"] == 2 && object?["pagesRead"] == 1)
        #expect(try #require(object?["residentBytes"]) > 1 << 20)
        try daemon.end()
        try scratch.valet(["stats", daemon.address], expecting: 6)
    }

    @Test func theDatabaseIsOnlyRead() throws {
        let database = try scratch.database(table: "t", csv: "a\nx\n")
        let before = scratch.bytes(of: "test.sqlite")
        let daemon = try Daemon(database, in: scratch)
        try scratch.valet(["rows", daemon.address])
        try daemon.end()
        #expect(scratch.bytes(of: "test.sqlite") == before)
    }
}
