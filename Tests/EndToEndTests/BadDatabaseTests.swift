import Foundation
import TestSupport
import Testing
import ValetModel

struct BadDatabase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var message: String
    var code: Int32 = 1
    /// Makes the file at a path, of a good database's bytes.
    var make: @Sendable (Data, URL) throws -> Void

    static let all = [
        BadDatabase(
            testDescription: "random bytes", message: "is not a SQLite database, or it is encrypted"
        ) { good, url in
            var random = SeededNumbers(seed: 1)
            try Data(good.map { _ in UInt8.random(in: 0...255, using: &random) }).write(to: url)
        },
        BadDatabase(testDescription: "text", message: "is not a SQLite database") { _, url in
            try Data(String(repeating: "name,n\nx,1\n", count: 200).utf8).write(to: url)
        },
        BadDatabase(testDescription: "cut off", message: "is damaged or cut off") { good, url in
            try good.prefix(good.count / 2).write(to: url)
        },
        BadDatabase(testDescription: "half a header", message: "is damaged or cut off") {
            good, url in
            try good.prefix(60).write(to: url)
        },
        BadDatabase(testDescription: "a folder", message: "is a folder") { _, url in
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        },
        BadDatabase(testDescription: "nothing", message: "there is no file", code: 3) { _, _ in },
        BadDatabase(testDescription: "a link to nothing", message: "there is no file", code: 3) {
            _, url in
            try FileManager.default.createSymbolicLink(
                at: url, withDestinationURL: url.appendingPathExtension("gone"))
        },
    ]
}

@Suite(.runsPrograms) struct BadDatabaseTests {
    private let scratch = Scratch()

    @Test(arguments: BadDatabase.all)
    func aBadDatabaseIsRefusedInWords(_ bad: BadDatabase) throws {
        let rows = (0..<500).map { "name \($0),\($0)\n" }.joined()
        let good = try scratch.database("good.sqlite", table: "t", csv: "name,n\n" + rows)
        let path = scratch.path("bad.sqlite")
        try bad.make(try Data(contentsOf: URL(filePath: good)), URL(filePath: path))
        let asked = [
            (Program.valet, ["rows", path]),
            (Program.valetd, ["serve", path, "--listen", "127.0.0.1:0"]),
        ]
        for (program, arguments) in asked {
            let done = try program.run(arguments, in: scratch)
            #expect(done.code == bad.code)
            #expect(done.text == "")
            #expect(done.message.hasPrefix("\(program.rawValue): "))
            #expect(done.message.contains(bad.message), "\(done.message)")
            #expect(done.message.contains("bad.sqlite"))
        }
        let json = try scratch.valet(["rows", path, "--format", "json"])
        #expect(json.message.hasPrefix(#"{"error": {"code": ""#))
    }

    @Test func anEmptyFileIsADatabaseWithoutLists() throws {
        let path = try scratch.write("", to: "empty.sqlite")
        try scratch.valet(["lists", path, "--format", "json"], expecting: 0, prints: "[]\n")
        let rows = try scratch.valet(["rows", path], expecting: 3)
        #expect(rows.message == "valet: the database has no tables\n")
    }

    @Test func aLockedDatabaseIsRefusedInWords() throws {
        let path = try scratch.database(table: "t", csv: "a\nx\n")
        // What a program in the middle of a commit holds: SQLite's bytes behind the first GiB.
        let descriptor = open(path, O_RDWR)
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0x4000_0000
        lock.l_len = 512
        #expect(fcntl(descriptor, F_SETLK, &lock) == 0)
        for (program, command) in [(Program.valet, "rows"), (.valetd, "serve")] {
            let done = try program.run([command, path], in: scratch)
            #expect(done.code == 1)
            #expect(done.message.contains("is locked by another program"), "\(done.message)")
        }
    }

    @Test func noServerIsAnAnswerOfItsOwn() throws {
        // A port that was free a moment ago.
        let daemon = try Daemon(try scratch.database(table: "t", csv: "a\nx\n"), in: scratch)
        #expect(try daemon.end() == 0)
        let done = try scratch.valet(["rows", daemon.address], expecting: 6)
        #expect(done.message.hasPrefix("valet: no Valet server answers at 127.0.0.1:"))
    }

    /// Tables that can't be lists are named, with the reason.
    @Test func listsSaysWhichTablesItLeavesOutAndWhy() throws {
        let database = try scratch.database(table: "small", csv: "id,title\na,One\n")
        let columns = (0..<2_000).map { "c\($0)" }.joined(separator: ", ")
        try TemporaryFolder.change(database, "CREATE TABLE wide (\(columns))")
        let server = try Daemon(
            .valetd, ["serve", database, "--listen", "127.0.0.1:0"], in: scratch)
        for target in [database, server.address] {
            let lists = try scratch.valet(["lists", target, "--format", "jsonl"])
            #expect(lists.code == 0 && lists.lines.count == 1)
            #expect(
                lists.message.contains("“wide” is no list: table “wide” has 2000 columns"),
                "\(lists.message)")
            #expect(lists.message.contains("columnsPerList"))
            let rows = try scratch.valet(["rows", target, "--list", "WIDE"])
            #expect(rows.code == 3 && rows.message.contains("“wide” is no list: table"))
        }
        let catalog = try scratch.write("lists: [{name: wide}]", to: "wide.yaml")
        let named = try scratch.valet(["lists", database, "--catalog", catalog])
        #expect(named.code != 0 && named.message.contains("“wide” is no list: table"))
        try TemporaryFolder.change(database, "DROP TABLE small")
        let rows = try scratch.valet(["rows", database])
        #expect(rows.code != 0 && rows.message.contains("has 2000 columns"))
        #expect(!rows.message.contains("has no tables"))
    }

    /// A file is overwritten where it is, or loses its index, while another program has it open.
    /// That program may write its pages over what is there now, with all that was changed in
    /// between: nothing is taken in until it has ended.
    @Test(arguments: [false, true])
    func nothingIsChangedUntilTheOtherProgramHasEnded(isIndexRemoved: Bool) throws {
        let csv = "make\n" + (0..<500).map { "car \($0)\n" }.joined()
        let path = try scratch.database(table: "cars", csv: csv)
        let backup = try Data(
            contentsOf: URL(filePath: scratch.database("backup.sqlite", table: "cars", csv: csv)))
        let daemon = try Daemon(path, in: scratch)
        #expect(try scratch.valet(["add", daemon.address, "make=A"]).code == 0)
        let other = try Daemon(
            .valetd, ["serve", path, "--read-only", "--listen", "127.0.0.1:0"], in: scratch)
        #expect(try scratch.valet(["rows", other.address]).code == 0)
        other.pause()
        if isIndexRemoved {
            try FileManager.default.removeItem(atPath: path + "-shm")
        } else {
            try TemporaryFolder.overwrite(path, with: backup)
        }
        try eventually("it says why it is closed") {
            daemon.logText.contains("another program still has")
        }
        #expect(try scratch.valet(["rows", daemon.address]).code != 0)
        try other.end(SIGKILL)
        try eventually("it is open again") {
            try scratch.valet(["rows", daemon.address]).code == 0
        }
        #expect(try scratch.valet(["add", daemon.address, "make=B"]).code == 0)
        try daemon.end()
        let count = try TemporaryFolder.number(
            path, "SELECT count(*) FROM cars WHERE make NOT LIKE 'car %'")
        #expect(count == (isIndexRemoved ? 2 : 1))
    }
}
