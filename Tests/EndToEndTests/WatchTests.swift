import Foundation
import TestSupport
import Testing

/// `valet watch` against a server, and a file.
@Suite(.runsPrograms) struct WatchTests {
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
        try Scratch.with { scratch in
            let database = try scratch.database(table: "cars", csv: Self.csv)
            let daemon = try Daemon(database, in: scratch)
            let watch = try Watch(daemon.address, in: scratch)
            func valet(_ arguments: String..., at address: String) throws {
                let done = try Program.valet.run(
                    [arguments[0], address] + arguments.dropFirst() + ["--as", "ana"], in: scratch)
                #expect(done.code == 0, "\(done.message)")
            }
            try valet("set", "1", "year=2001", at: daemon.address)
            try valet("add", "make=Opel", at: daemon.address)
            let first = try #require(try watch.lines(2).first)
            #expect(
                first.contains(
                    #""op": "update", "id": 1, "from": null, "to": null, "cells": "#
                        + #"{"year": [2020, 2001]}, "station": "ana", "time": "20"#))
            try daemon.end(SIGKILL)
            let next = try Daemon(
                database, listen: "127.0.0.1:\(daemon.port)", in: scratch)
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
    }

    /// Cells are named by the columns that the list has when they are sent.
    @Test func columnsThatAnotherProgramChangesAreFollowed() throws {
        try Scratch.with { scratch in
            let database = try scratch.database(table: "cars", csv: Self.csv)
            let daemon = try Daemon(database, in: scratch)
            let watch = try Watch(daemon.address, in: scratch)
            var count = 0
            func set(_ value: String) throws -> String {
                let done = try Program.valet.run(
                    ["set", daemon.address, "1", value], in: scratch)
                #expect(done.code == 0, "\(done.message)")
                count += 1
                return try #require(try watch.lines(count).last)
            }
            #expect(try set("year=2001").contains(#"{"year": [2020, 2001]}"#))
            try TemporaryFolder.change(database, "ALTER TABLE cars ADD COLUMN note TEXT")
            _ = try eventually("the column is there") {
                let listed = try Program.valet.run(["schema", daemon.address], in: scratch)
                return listed.text.contains("note") ? true : nil
            }
            #expect(try set("note=seen").contains(#"{"note": [null, "seen"]}"#))
            try TemporaryFolder.change(database, "ALTER TABLE cars DROP COLUMN year")
            _ = try eventually("the column is gone") {
                let listed = try Program.valet.run(["schema", daemon.address], in: scratch)
                return listed.text.contains("year") ? nil : true
            }
            #expect(try set("note=again").contains(#"{"note": ["seen", "again"]}"#))
            watch.process.send(SIGINT)
            #expect(try watch.process.waitForEnd() == 130)
            try daemon.end()
        }
    }

    @Test func aCountEndsIt() throws {
        try Scratch.with { scratch in
            let database = try scratch.database(table: "cars", csv: Self.csv)
            let daemon = try Daemon(database, in: scratch)
            let watch = try Watch(
                daemon.address, ["--count", "2", "--format", "plain"], in: scratch)
            let done = try Program.valet.run(
                ["add", daemon.address, "make=Opel"], in: scratch)
            #expect(done.code == 0)
            let lines = try watch.lines(1)
            #expect(lines[0].contains("\tinsert\t3\t"))
            #expect(lines[0].contains("make: NULL → Opel") || lines[0].contains("→ Opel"))
            _ = try Program.valet.run(["rm", daemon.address, "3", "2"], in: scratch)
            #expect(try watch.process.waitForEnd() == 0)
            #expect(try watch.lines(2).count == 2)
            try daemon.end()
        }
    }

    @Test func whatCannotBeWatchedHasItsExitCode() throws {
        try Scratch.with { scratch in
            let database = try scratch.database(table: "cars", csv: Self.csv)
            let none = try Program.valet.run(
                ["watch", database, "--list", "boats"], in: scratch)
            #expect(none.code == 3 && none.text == "")
            let nobody = try Program.valet.run(["watch", "valet://127.0.0.1:1"], in: scratch)
            #expect(nobody.code == 6 && nobody.text == "")
            let wrong = try Program.valet.run(["watch", database, "--count", "0"], in: scratch)
            #expect(wrong.code == 2)
        }
    }
}
