import Foundation
import TestSupport
import Testing

@Suite(.runsPrograms) struct ImportTests {
    private let scratch = Scratch()

    @Test func anImportMakesATable() throws {
        let file = try scratch.write("name,n,code\nb,2,007\nä,,1\n", to: "a.csv")
        let database = scratch.path("a.sqlite")
        let done = try scratch.valet(
            ["import", file, database, "--table", "t"], expecting: 0, prints: "")
        #expect(done.message == "imported 2 rows into “t” of \(database)\n")
        try scratch.valet(
            ["rows", database, "--format", "jsonl"],
            prints: """
                {"at": 0, "section": "A", "path": [0, 0], "id": 2, \
                "cells": {"name": "ä", "n": null, "code": "1"}}
                {"at": 1, "section": "B", "path": [1, 0], "id": 1, \
                "cells": {"name": "b", "n": 2, "code": "007"}}

                """)
    }

    @Test(arguments: ["-", "/dev/stdin"])
    func standardInputIsImported(name: String) throws {
        let file = try scratch.write("a\n1\n2\n", to: "a.csv")
        let (database, valet) = (scratch.path("a.sqlite"), Program.valet.path)
        let done = try scratch.shell(
            "cat '\(file)' | '\(valet)' import \(name) '\(database)' --table t")
        #expect(done.code == 0 && done.message.hasPrefix("imported 2 rows"))
    }

    struct BadImport: CustomTestStringConvertible, Sendable {
        let csv: [UInt8]
        let message: String
        let table: String
        let append: Bool
        let code: Int32

        var testDescription: String { message }

        init(
            _ csv: String, then bytes: [UInt8] = [], _ message: String, table: String = "new",
            append: Bool = false, code: Int32 = 1
        ) {
            self.csv = Array(csv.utf8) + bytes
            (self.message, self.table, self.append, self.code) = (message, table, append, code)
        }

        static let all = [
            BadImport("a,b\n\"1,2\n3,4\n", ", line 2, column 1: a quote that is opened here"),
            BadImport("a,b\n1,2\n3,\"4\n", ", line 3, column 3: a quote that is opened here"),
            BadImport("a,b\n1,2,3\n", ", line 2: 3 fields, but the header has 2"),
            BadImport("a,b\n1,2\n3\n", ", line 3: 1 field, but the header has 2"),
            BadImport("a,b\n1,2\"x\n", ", line 2, column 4: a quote inside a field"),
            BadImport("a,b\n1,\"2\"x\n", ", line 2, column 6: text after a closing quote"),
            BadImport("a,a\n1,2\n", ", line 1: columns 1 and 2 have the same name"),
            BadImport("a,A\n1,2\n", ", line 1: columns 1 and 2 have the same name"),
            BadImport("a,\n1,2\n", ", line 1: column 2 of the header has no name"),
            BadImport("", " is empty: its first line must name the columns"),
            BadImport("a,b\n1,2\n", "already has “old”", table: "old"),
            BadImport("a,b\n1,2\n", "already has “OLD”", table: "OLD"),
            BadImport("a,b\n1,2\n", "can't be called “sqlite_x”", table: "sqlite_x"),
            BadImport("a,b\n1,2\n", "can't be called “_valet_x”", table: "_valet_x"),
            BadImport(
                "a,b\nx,007\n", ", line 2: column “b” stores numbers and would not keep “007”",
                table: "old", append: true),
            BadImport(
                "a,zz\n1,2\n", "table “old” has no column “zz” to fill", table: "old", append: true,
                code: 3),
            BadImport(
                "a,b\n1,2\n", "has no table “new” to add to: leave out --append", append: true,
                code: 3),
            BadImport(
                "a,b\n1,", then: [0x61, 0xFF, 0x0A], ", line 2: field 2 is not UTF-8 text"),
        ]
    }

    @Test(arguments: BadImport.all)
    func aBadImportSaysWhereAndChangesNothing(_ bad: BadImport) throws {
        let database = try scratch.database(table: "old", csv: "a,b\nx,1\n")
        let before = scratch.bytes(of: "test.sqlite")
        let file = scratch.path("bad.csv")
        try Data(bad.csv).write(to: URL(filePath: file))
        let done = try scratch.valet(
            ["import", file, database, "--strict", "--table", bad.table]
                + (bad.append ? ["--append"] : []),
            expecting: bad.code, prints: "", says: bad.message)
        #expect(done.message.hasPrefix("valet: "))
        #expect(scratch.bytes(of: "test.sqlite") == before)
        #expect(scratch.bytes(of: "test.sqlite-journal")?.isEmpty ?? true)
    }

    @Test func aBadFirstImportLeavesNoDatabaseBehind() throws {
        let file = try scratch.write("a,b\n1\n", to: "bad.csv")
        try scratch.valet(
            ["import", file, scratch.path("new.sqlite"), "--table", "t", "--strict"], expecting: 1)
        #expect(scratch.bytes(of: "new.sqlite") == nil)
    }

    @Test func whatIsIrregularIsReadAndTold() throws {
        let file = try scratch.write("a,a\n1\na,a\n2,3\n", to: "people.csv")
        let database = scratch.path("new.sqlite")
        let done = try scratch.valet(["import", file, database])
        #expect(
            done.message.split(separator: "\n").dropLast() == [
                "valet: columns without a name of their own are called “a 2”",
                "valet: line 2 has fewer fields than the header: the rest is empty",
                "valet: line 3 is the header again, and no row",
            ])
        try scratch.valet(
            ["rows", database, "--list", "people"], prints: "0\t\t0,0\t1\t1\t\n1\t\t0,1\t2\t2\t3\n")
    }

    @Test(arguments: [
        (SIGINT, "test.sqlite"), (SIGTERM, "test.sqlite"), (SIGHUP, "test.sqlite"),
        (SIGTERM, "new.sqlite"),
    ])
    func asSoonAsItIsAskedToEndAnImportEnds(signal: Int32, name: String) throws {
        try scratch.database(table: "old", csv: "a,b\nx,1\n")
        let before = scratch.bytes(of: name)
        let file = scratch.path("pipe.csv")
        #expect(mkfifo(file, 0o600) == 0)
        let process = try Program.valet.start(
            ["import", file, scratch.path(name), "--table", "t"], in: scratch)
        defer { process.end() }
        // It can be opened when the import has, which is then in its midst.
        let pipe = try eventually("a reader", seconds: 60) {
            let pipe = open(file, O_WRONLY | O_NONBLOCK)
            return pipe < 0 ? nil : pipe
        }
        // A reader that stays, so that a write never fails for want of one.
        let reader = open(file, O_RDONLY | O_NONBLOCK)
        defer { for end in [pipe, reader] { close(end) } }
        // `timeout`, and a terminal that closes, send their signal twice.
        process.send(signal)
        if signal != SIGINT { process.send(signal) }
        try eventually("the import's end", seconds: 60) {
            // Wakes an import that began to wait just before the signal.
            write(pipe, "a,b\n1,2\n", 8)
            return !process.isRunning
        }
        let done = try process.finish()
        #expect(done.code == 128 + signal && done.message == "")
        #expect(scratch.bytes(of: name) == before)
        #expect(scratch.bytes(of: name + "-journal") == nil)
    }

    @Test func aMissingCSVFileIsNotFound() throws {
        let (file, database) = (scratch.path("no.csv"), scratch.path("a.sqlite"))
        let done = try scratch.valet(["import", file, database, "--table", "t"], expecting: 3)
        #expect(done.message == "valet: there is no file “\(file)”\n")
        #expect(scratch.bytes(of: "a.sqlite") == nil)
    }

    @Test func rowsCanBeAppended() throws {
        let database = try scratch.database(table: "old", csv: "a,b\nx,1\n")
        let file = try scratch.write("b,a\n2,y\n", to: "more.csv")
        let done = try scratch.valet(["import", file, database, "--table", "old", "--append"])
        #expect(done.message == "imported 1 row into “old” of \(database)\n")
        let rows = "at,section,path,id,a,b\n0,X,\"0,0\",1,x,1\n1,Y,\"1,0\",2,y,2\n"
        try scratch.valet(["rows", database, "--format", "csv"], prints: rows)
    }
}
