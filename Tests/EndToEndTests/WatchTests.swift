import Foundation
import TestSupport
import Testing

/// `valet watch` against a server, and a file.
@Suite(.runsPrograms) struct WatchTests {
    private let scratch = Scratch()

    private static let csv = "make,year\nBMW,2020\nAudi,2021\n"

    /// A watch that runs, and the lines that it has printed.
    private struct Watch {
        let process: RunningProcess
        let output: String
        let words: String

        init(_ target: String, _ options: [String] = ["--format", "jsonl"], in scratch: Scratch)
            throws
        {
            (output, words) = (scratch.path(UUID().uuidString), scratch.path(UUID().uuidString))
            process = try Program.valet.start(
                ["watch", target] + options, in: scratch, output: output, words: words)
            let words = words
            _ = try eventually("it watches") {
                try String(contentsOf: URL(filePath: words), encoding: .utf8)
                    .contains("watching") ? true : nil
            }
        }

        func lines(_ count: Int) throws -> [String] {
            try eventually("\(count) lines") {
                let text = try String(contentsOf: URL(filePath: output), encoding: .utf8)
                let lines = text.split(separator: "\n").map(String.init)
                return text.hasSuffix("\n") && lines.count >= count ? lines : nil
            }
        }
    }

    @Test func everyChangeIsPrintedOverAReconnectionToo() throws {
        let database = try scratch.database(table: "cars", csv: Self.csv)
        let daemon = try Daemon(database, in: scratch)
        let watch = try Watch(daemon.address, in: scratch)
        func valet(_ arguments: String..., at address: String) throws {
            try scratch.valet(
                [arguments[0], address] + arguments.dropFirst() + ["--as", "ana"], expecting: 0)
        }
        try valet("set", "1", "year=2001", at: daemon.address)
        try valet("add", "make=Opel", at: daemon.address)
        let first = try #require(try watch.lines(2).first)
        #expect(
            first.contains(
                #""op": "update", "id": 1, "from": null, "to": null, "cells": "#
                    + #"{"year": [2020, 2001]}, "station": "ana", "time": "20"#))
        try daemon.end(SIGKILL)
        let next = try Daemon(database, listen: "127.0.0.1:\(daemon.port)", in: scratch)
        try valet("rm", "3", at: next.address)
        let lines = try watch.lines(3)
        let operations = lines.compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["op"]
                as? String
        }
        #expect(operations == ["update", "insert", "delete"])
        watch.process.send(SIGINT)
        #expect(try watch.process.waitForEnd() == 130)
        try next.end()
    }

    /// Cells are named by the columns that the list has when they are sent.
    @Test func columnsThatAnotherProgramChangesAreFollowed() throws {
        let database = try scratch.database(table: "cars", csv: Self.csv)
        let daemon = try Daemon(database, in: scratch)
        let watch = try Watch(daemon.address, in: scratch)
        var count = 0
        func set(_ value: String) throws -> String {
            try scratch.valet(["set", daemon.address, "1", value], expecting: 0)
            count += 1
            return try #require(try watch.lines(count).last)
        }
        #expect(try set("year=2001").contains(#"{"year": [2020, 2001]}"#))
        try TemporaryFolder.change(database, "ALTER TABLE cars ADD COLUMN note TEXT")
        _ = try eventually("the column is there") {
            let listed = try scratch.valet(["schema", daemon.address])
            return listed.text.contains("note") ? true : nil
        }
        #expect(try set("note=seen").contains(#"{"note": [null, "seen"]}"#))
        try TemporaryFolder.change(database, "ALTER TABLE cars DROP COLUMN year")
        _ = try eventually("the column is gone") {
            let listed = try scratch.valet(["schema", daemon.address])
            return listed.text.contains("year") ? nil : true
        }
        #expect(try set("note=again").contains(#"{"note": ["seen", "again"]}"#))
        watch.process.send(SIGINT)
        #expect(try watch.process.waitForEnd() == 130)
        try daemon.end()
    }

    @Test func aCountEndsIt() throws {
        let database = try scratch.database(table: "cars", csv: Self.csv)
        let daemon = try Daemon(database, in: scratch)
        let watch = try Watch(daemon.address, ["--count", "2", "--format", "plain"], in: scratch)
        try scratch.valet(["add", daemon.address, "make=Opel"], expecting: 0)
        let lines = try watch.lines(1)
        #expect(lines[0].contains("\tinsert\t3\t"))
        #expect(lines[0].contains("make: NULL → Opel") || lines[0].contains("→ Opel"))
        try scratch.valet(["rm", daemon.address, "3", "2"])
        #expect(try watch.process.waitForEnd() == 0)
        #expect(try watch.lines(2).count == 2)
        try daemon.end()
    }

    @Test func aListThatCannotBeWatchedHasItsExitCode() throws {
        let database = try scratch.database(table: "cars", csv: Self.csv)
        let none = try scratch.valet(["watch", database, "--list", "boats"])
        #expect(none.code == 3 && none.text == "")
        let nobody = try scratch.valet(["watch", "valet://127.0.0.1:1"])
        #expect(nobody.code == 6 && nobody.text == "")
        try scratch.valet(["watch", database, "--count", "0"], expecting: 2)
    }
}
