import Foundation
import TestSupport
import Testing

/// Commands that write, against a server and against a file.
@Suite(.runsPrograms) struct WritingTests {
    private let scratch = Scratch()

    private static let csv = "make,year,fuel\nBMW,2020,10.5\nAudi,2021,20.5\n"

    /// Runs `body` with `valet` on a list of two cars, served or as a file.
    private func write(
        served: Bool, sql: String? = nil,
        _ body: (_ valet: ([String]) throws -> Finished) throws -> Void
    ) throws {
        let scratch = Scratch()
        let database = try scratch.database(table: "cars", csv: Self.csv)
        if let sql { try TemporaryFolder.change(database, sql) }
        let daemon = served ? try Daemon(database, in: scratch) : nil
        try body { arguments in
            try scratch.valet(
                [arguments[0], daemon?.address ?? database] + arguments.dropFirst()
                    + ["--format", "jsonl"])
        }
        try daemon?.end()
    }

    private func cells(_ row: Int, _ valet: ([String]) throws -> Finished) throws -> String {
        let text = try valet(["get", "\(row)"]).text
        return String(text.split(separator: "cells\": ").last ?? "").trimmingCharacters(
            in: .whitespacesAndNewlines)
    }

    @Test(arguments: [true, false]) func aRowIsAddedSetAndDeleted(served: Bool) throws {
        try write(served: served) { valet in
            let added = try valet(["add", "make=Opel", "year=1999"])
            let revision = try #require(added.objects.first?["revision"] as? Int)
            #expect(added.text == #"{"id": 3, "revision": \#(revision), "outcome": "ok"}"# + "\n")
            #expect(added.code == 0 && added.message == "")
            #expect(try cells(3, valet) == #"{"make": "Opel", "year": 1999, "fuel": null}}"#)
            let set = try valet(["set", "3", "fuel=7", "--null", "year", "make=a=b"])
            #expect(try #require(set.objects.first?["revision"] as? Int) > revision)
            #expect(try cells(3, valet) == #"{"make": "a=b", "year": null, "fuel": 7.0}}"#)
            let removed = try valet(["rm", "3", "1", "3"])
            #expect(try removed.objects.compactMap { $0["id"] as? Int } == [3, 1])
            #expect(try valet(["count"]).text == #"{"count": 1}"# + "\n")
            let again = try valet(["rm", "1"])
            #expect(again.code == 3 && again.text == "")
            #expect(again.message.hasPrefix("valet: there is no row 1: deleted by “"))
            for arguments in [["rm", "9"], ["set", "9", "year=1"]] {
                let missing = try valet(arguments)
                #expect(missing.code == 3 && missing.text == "")
                #expect(missing.message == "valet: there is no row 9\n")
            }
        }
    }

    @Test(arguments: [true, false]) func undoAndRedoAreOfOneStation(served: Bool) throws {
        try write(served: served) { valet in
            let before = try cells(1, valet)
            #expect(try valet(["undo"]).code == 5)
            _ = try valet(["set", "1", "year=2001", "--as", "ana"])
            _ = try valet(["set", "2", "year=2002", "--as", "bo"])
            #expect(try valet(["undo", "--as", "ana"]).objects.first?["id"] as? Int == 1)
            #expect(try cells(1, valet) == before)
            #expect(try valet(["redo", "--as", "ana"]).code == 0)
            #expect(try cells(1, valet).contains("2001"))
            _ = try valet(["set", "1", "year=2003", "--as", "bo"])
            let late = try valet(["undo", "--as", "ana"])
            #expect(late.code == 4 && late.text == "")
            #expect(late.message.hasPrefix("valet: “year” of row 1 is now “2003”, by “bo” at 20"))
            #expect(try cells(1, valet).contains("2003"))
        }
    }

    @Test(arguments: [true, false]) func rowsAreMovedByHand(served: Bool) throws {
        let database = try scratch.blocks()
        let catalog = try scratch.blockCatalog()
        let daemon = served ? try Daemon(database, catalog: catalog, in: scratch) : nil
        func valet(_ arguments: [String]) throws -> Finished {
            let target = daemon.map { [$0.address] } ?? [database, "--catalog", catalog]
            return try scratch.valet(
                [arguments[0]] + target + arguments.dropFirst() + ["--format", "jsonl"])
        }
        func valet(_ arguments: String...) throws -> Finished { try valet(arguments) }
        func names() throws -> String {
            try valet("rows").objects.compactMap {
                ($0["cells"] as? [String: Any])?["name"] as? String
            }.joined()
        }
        #expect(try names() == "abcd")
        let moved = try valet("move", "4", "1", "--after", "2")
        #expect(moved.code == 0 && moved.message == "")
        #expect(try moved.objects.compactMap { $0["id"] as? Int } == [4, 1])
        #expect(try names() == "bdac")
        #expect(try valet("move", "3", "--before", "2").code == 0)
        #expect(try valet("move", "2", "--last").code == 0)
        #expect(try valet("move", "1", "--first").code == 0)
        #expect(try names() == "acdb")
        #expect(try valet("undo").code == 0 && names() == "cdab")
        #expect(try valet("redo").code == 0 && names() == "acdb")
        #expect(try valet("add", "name=e").code == 0 && names() == "acdbe")
        let joined = try valet("move", "1", "--after", "2", "--group", "Colour")
        #expect(joined.code == 0)
        #expect(try valet("get", "1").text.contains(#""colour": "blue""#))
        for (arguments, code) in [
            (["--after", "9"], 3), (["--after", "2", "--group", "Size"], 3),
            (["--after", "1"], 2), (["--first", "--last"], 2), ([], 2),
            (["--first", "--group", "Colour"], 2),
        ] as [([String], Int32)] {
            let failed = try valet(["move", "1"] + arguments)
            #expect(failed.code == code && failed.text == "" && failed.message != "")
        }
        try daemon?.end()
    }

    @Test(arguments: [true, false]) func theHistoryTellsWhoDidWhat(served: Bool) throws {
        try write(served: served) { valet in
            #expect(try valet(["history"]).text == "")
            #expect(try valet(["history", "2"]).code == 0)
            let missing = try valet(["history", "9"])
            #expect(missing.code == 3 && missing.text == "")
            #expect(missing.message == "valet: there is no row 9, and no history of it\n")
            _ = try valet(["set", "1", "year=2001", "--as", "ana"])
            _ = try valet(["add", "make=Opel", "--as", "bo"])
            _ = try valet(["rm", "1", "--as", "bo"])
            let all = try valet(["history"])
            #expect(all.code == 0 && all.message == "")
            let entries = try all.objects
            #expect(entries.map { $0["op"] as? String } == ["delete", "insert", "update"])
            #expect(entries.map { $0["id"] as? Int } == [1, 3, 1])
            #expect(entries.map { $0["station"] as? String } == ["bo", "bo", "ana"])
            #expect(all.lines[2].contains(#""cells": {"year": [2020, 2001]}"#))
            #expect(try valet(["history", "1"]).lines == [all.lines[0], all.lines[2]])
            #expect(try valet(["history", "--count", "2"]).lines == Array(all.lines.prefix(2)))
        }
    }

    @Test func aMarkIsSetInTheColumnThatIsThere() throws {
        try write(served: true) { valet in
            let none = try valet(["check", "1", "on"])
            #expect(none.code == 2 && none.message.contains("has no BOOLEAN column"))
            // Its value would be lost.
            let number = try valet(["check", "1", "on", "--column", "fuel"])
            #expect(number.code == 2 && number.message.contains("is not a BOOLEAN column"))
            let kept = try cells(1, valet)
            #expect(kept.contains(#""fuel": 10.5"#))
        }
        try write(served: false, sql: "ALTER TABLE cars ADD COLUMN sold BOOLEAN") { valet in
            for column in [[], ["--column", "sold"]] {
                for (mark, stored) in [("on", 1), ("off", 0)] {
                    let marked = try valet(["check", "1", mark] + column)
                    let cells = try cells(1, valet)
                    #expect(marked.code == 0 && cells.contains("\"sold\": \(stored)"), "\(cells)")
                }
            }
            let missing = try valet(["check", "9", "on"])
            #expect(missing.code == 3 && missing.message == "valet: there is no row 9\n")
        }
    }

    @Test(
        arguments: [
            (["set", "9", "year=1"], 3), (["set", "1", "year=x"], 5),
            (["set", "1", "colour=x"], 3),
            (["set", "1"], 2), (["add", "year"], 2), (["rm", "x"], 2), (["rm", "9"], 3),
            (["check", "1", "maybe"], 2), (["undo", "--as", ""], 2),
            (["set", "1", "year=1", "year=2"], 2),
        ] as [([String], Int32)])
    func aCommandThatCannotBeDoneHasItsExitCode(arguments: [String], code: Int32) throws {
        try write(served: true) { valet in
            let done = try valet(arguments)
            #expect(done.code == code)
            #expect(done.text == "" && done.message != "")
            #expect(try valet(["count"]).text == #"{"count": 2}"# + "\n")
        }
    }

    @Test func aWriteOutlivesAKilledServer() throws {
        let database = try scratch.database(table: "cars", csv: Self.csv)
        let daemon = try Daemon(database, in: scratch)
        try scratch.valet(["add", daemon.address, "make=Opel"], expecting: 0)
        try daemon.end(SIGKILL)
        let next = try Daemon(database, in: scratch)
        let undone = try scratch.valet(["undo", next.address])
        #expect(undone.text.hasPrefix("3\t") && undone.text.hasSuffix("\tok\n"))
        try scratch.valet(["count", next.address], prints: "2\n")
        try next.end()
    }

    @Test func triggersAreAddedAndRemoved() throws {
        let database = try scratch.database(table: "cars", csv: Self.csv)
        func triggers(_ act: String, _ file: String) throws -> Finished {
            try Program.valetd.run(["triggers", act, file], in: scratch)
        }
        for _ in 0..<2 {
            let added = try triggers("add", database)
            #expect(added.text == "table “cars” has triggers\n" && added.code == 0)
        }
        try scratch.valet(["set", database, "1", "year=1999"], expecting: 0)
        #expect(try triggers("remove", database).text == "removed 3 triggers\n")
        #expect(try triggers("remove", database).text == "removed 0 triggers\n")
        let missing = try triggers("add", scratch.path("none.sqlite"))
        #expect(missing.code == 3 && missing.message.contains("none.sqlite"))
    }

    // MARK: A server that is killed while stations write

    @Test func nothingIsLostOrDoubledWhenTheServerIsKilled() throws {
        let done = try Program.load.run(
            ["crash", "--rows", "500", "--stations", "8", "--kills", "4", "--seed", "3"],
            in: scratch)
        #expect(done.code == 0, "\(done.text)\(done.message)")
        #expect(done.text.hasPrefix("4 kills, 8 stations, 500 cars, seed 3\n"))
    }
}
