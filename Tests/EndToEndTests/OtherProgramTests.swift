import Foundation
import TestSupport
import Testing
import ValetModel

/// The `sqlite3` program changes a file that a server shows.
@Suite(.runsPrograms, .needsTmux, .needsSQLite) struct OtherProgramTests {
    private let scratch = Scratch()

    /// Statements by turns of chance, each a transaction, and the names that are there after them.
    private struct Edits {
        private var numbers: SeededNumbers
        private var names: [String] = []
        /// Names have as many digits, so that none is a part of another.
        private var count = 100

        init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

        var sorted: [String] { names.sorted() }

        mutating func next() -> String {
            count += 1
            let name = "kite\(count)"
            let kind = names.count < 3 ? 0 : names.count > 12 ? 2 : numbers.below(3)
            guard kind > 0 else {
                names.append(name)
                return "INSERT INTO kites VALUES ('\(name)');"
            }
            let old = names.remove(at: numbers.below(names.count))
            guard kind == 1 else { return "DELETE FROM kites WHERE name = '\(old)';" }
            names.append(name)
            return "UPDATE kites SET name = '\(name)' WHERE name = '\(old)';"
        }
    }

    private func sqlite3(_ statements: String, in database: String) throws {
        let program = try #require(SQLiteProgram.path)
        // It waits as long as the server looks.
        let arguments = ["-cmd", ".timeout 60000", database, statements]
        let done = try RunningProcess(program, arguments, in: scratch).finish()
        #expect(done.code == 0, "\(done.message)")
    }

    /// Waits until the screen shows these names and no others. A deleted row stays under the cursor
    /// and is marked there.
    private func expect(_ names: [String], on window: TerminalWindow, _ place: String) throws {
        var shown: [String] = []
        do {
            try eventually("the screen is right") {
                shown = try window.lines.filter { !$0.contains("✗") }.flatMap { line in
                    line.matches(of: /kite\d+/).map { String($0.output) }
                }
                return shown.sorted() == names
            }
        } catch {
            #expect(shown.sorted() == names, "\(place)")
            throw error
        }
    }

    @Test(arguments: [false, true]) func eachOfItsEditsIsShown(hasTriggers: Bool) throws {
        var edits = Edits(seed: runSeed)
        let database = scratch.path("kites.sqlite")
        try sqlite3(
            "CREATE TABLE kites (name TEXT);" + (0..<6).map { _ in edits.next() }.joined(),
            in: database)
        if hasTriggers {
            let done = try Program.valetd.run(["triggers", "add", database], in: scratch)
            #expect(done.code == 0, "\(done.message)")
        }
        let daemon = try Daemon(database, in: scratch)
        let window = try TerminalWindow(valet: daemon.address, in: scratch)
        try expect(edits.sorted, on: window, "seed \(runSeed), at first")
        for number in 0..<8 {
            let statement = edits.next()
            try sqlite3(statement, in: database)
            try expect(edits.sorted, on: window, "seed \(runSeed), \(number): \(statement)")
        }
        // Without a pause, beside a station that changes other rows.
        try scratch.valet(["add", daemon.address, "name=kite001"], expecting: 0)
        try sqlite3((0..<200).map { _ in edits.next() }.joined(), in: database)
        try scratch.valet(["add", daemon.address, "name=kite002"], expecting: 0)
        try sqlite3((0..<200).map { _ in edits.next() }.joined(), in: database)
        try expect(
            ["kite001", "kite002"] + edits.sorted, on: window, "seed \(runSeed), in the end")
        #expect(try daemon.end() == 0)
    }
}

/// The program that comes with SQLite.
private enum SQLiteProgram {
    static let path: String? = [
        "/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3",
    ].first { FileManager.default.isExecutableFile(atPath: $0) }
}

extension Trait where Self == ConditionTrait {
    fileprivate static var needsSQLite: Self {
        .enabled(if: SQLiteProgram.path != nil, "needs sqlite3: apt-get install sqlite3")
    }
}
