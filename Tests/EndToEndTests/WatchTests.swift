import Foundation
import TestSupport
import Testing

/// `valet watch` against a server, and a file.
@Suite(.runsPrograms) struct WatchTests {
    private let scratch = Scratch()

    private static let csv = "make,year\nBMW,2020\nAudi,2021\n"

    /// A watch that runs.
    private func watching(
        _ target: String, _ options: [String] = ["--format", "jsonl"]
    ) throws -> RunningProcess {
        let watch = try Program.valet.start(["watch", target] + options, in: scratch)
        try eventually("it watches") {
            String(decoding: try watch.words, as: UTF8.self).contains("watching")
        }
        return watch
    }

    private func lines(_ count: Int, of watch: RunningProcess) throws -> [String] {
        try eventually("\(count) lines") {
            let lines = try watch.lines
            return lines.count >= count ? lines : nil
        }
    }

    private func expectInterrupted(_ watch: RunningProcess) throws {
        watch.send(SIGINT)
        #expect(try watch.waitForEnd() == 130)
    }

    @Test func everyChangeIsPrintedOverAReconnectionToo() throws {
        let database = try scratch.database(table: "cars", csv: Self.csv)
        let daemon = try Daemon(database, in: scratch)
        let watch = try watching(daemon.address)
        func valet(_ arguments: String..., at address: String) throws {
            try scratch.valet(
                [arguments[0], address] + arguments.dropFirst() + ["--as", "ana"], expecting: 0)
        }
        try valet("set", "1", "year=2001", at: daemon.address)
        try valet("add", "make=Opel", at: daemon.address)
        let first = try #require(try lines(2, of: watch).first)
        let update =
            #""op": "update", "id": 1, "from": null, "to": null, "cells": "#
            + #"{"year": [2020, 2001]}, "station": "ana", "time": "20"#
        #expect(first.contains(update))
        try daemon.end(SIGKILL)
        let next = try Daemon(database, listen: "127.0.0.1:\(daemon.port)", in: scratch)
        try valet("rm", "3", at: next.address)
        let operations = try lines(3, of: watch).map { $0.firstMatch(of: /"op": "(\w+)"/)?.1 }
        #expect(operations == ["update", "insert", "delete"])
        try expectInterrupted(watch)
        try next.end()
    }

    /// Cells are named by the columns that the list has when they are sent.
    @Test func columnsThatAnotherProgramChangesAreFollowed() throws {
        let database = try scratch.database(table: "cars", csv: Self.csv)
        let daemon = try Daemon(database, in: scratch)
        let watch = try watching(daemon.address)
        var count = 0
        func set(_ value: String) throws -> String {
            try scratch.valet(["set", daemon.address, "1", value], expecting: 0)
            count += 1
            return try #require(try lines(count, of: watch).last)
        }
        #expect(try set("year=2001").contains(#"{"year": [2020, 2001]}"#))
        try TemporaryFolder.change(database, "ALTER TABLE cars ADD COLUMN note TEXT")
        try eventually("the column is there") {
            try scratch.valet(["schema", daemon.address]).text.contains("note")
        }
        #expect(try set("note=seen").contains(#"{"note": [null, "seen"]}"#))
        try TemporaryFolder.change(database, "ALTER TABLE cars DROP COLUMN year")
        try eventually("the column is gone") {
            try !scratch.valet(["schema", daemon.address]).text.contains("year")
        }
        #expect(try set("note=again").contains(#"{"note": ["seen", "again"]}"#))
        try expectInterrupted(watch)
        try daemon.end()
    }

    @Test func aCountEndsIt() throws {
        let database = try scratch.database(table: "cars", csv: Self.csv)
        let daemon = try Daemon(database, in: scratch)
        let watch = try watching(daemon.address, ["--count", "2", "--format", "plain"])
        try scratch.valet(["add", daemon.address, "make=Opel"], expecting: 0)
        let first = try lines(1, of: watch)[0]
        #expect(first.contains("\tinsert\t3\t") && first.contains("→ Opel"))
        try scratch.valet(["rm", daemon.address, "3", "2"])
        #expect(try watch.waitForEnd() == 0)
        #expect(try lines(2, of: watch).count == 2)
        try daemon.end()
    }

    @Test func aListThatCannotBeWatchedHasItsExitCode() throws {
        let database = try scratch.database(table: "cars", csv: Self.csv)
        try scratch.valet(["watch", database, "--list", "boats"], expecting: 3, prints: "")
        try scratch.valet(["watch", "valet://127.0.0.1:1"], expecting: 6, prints: "")
        try scratch.valet(["watch", database, "--count", "0"], expecting: 2)
    }
}
